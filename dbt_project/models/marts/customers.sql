select customer_id, customer_name, email, country, city, segment, signup_date
from {{ ref('stg_customers') }}
order by customer_id
