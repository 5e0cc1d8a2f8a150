with cleaned as (
  select
    {{ clean_integer('customer_id') }} as customer_id,
    {{ clean_text('name') }} as customer_name,
    lower({{ clean_text('email') }}) as email,
    {{ canonical('country', countries()) }} as country,
    {{ clean_text('city') }} as city,
    {{ clean_text('segment') }} as segment,
    {{ clean_date('signup_date') }} as signup_date
  from {{ source('raw', 'customers') }}
)

select *
from cleaned
{{ first_per(['customer_id'], ['email', 'city']) }}
