select * from {{ ref('oldest') }} union all select * from {{ ref('oldest') }}
