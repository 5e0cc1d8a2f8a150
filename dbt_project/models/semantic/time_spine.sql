{{ config(schema='staging', materialized='view') }}

select cast(day as date) as date_day
from generate_series(timestamp '2020-01-01', timestamp '2035-12-31', interval 1 day) as days(day)
