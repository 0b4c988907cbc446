"""Set up a private cluster, the package and the model server under .local: `make up`.

Standard library only, since it runs before anything is installed.
"""
