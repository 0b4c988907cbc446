"""The embedded model server: an OpenAI-compatible one on llama.cpp, a process of its own."""
