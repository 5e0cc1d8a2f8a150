with cleaned as (
  select
    {{ clean_integer('product_id') }} as product_id,
    {{ clean_text('name') }} as product_name,
    {{ canonical('category', categories()) }} as category,
    {{ clean_text('brand') }} as brand,
    {{ clean_money('price') }} as price,
    {{ clean_money('cost') }} as cost
  from {{ source('raw', 'products') }}
)

select *
from cleaned
{{ first_per(['product_id']) }}
