select product_id, product_name, category, brand, price, cost
from {{ ref('stg_products') }}
order by product_id
