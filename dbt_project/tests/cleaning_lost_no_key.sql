-- Rows appear here when a key could not be read as a number, or a date or amount as what it should be.
select 'orders' as model, order_id as id from {{ ref('stg_orders') }}
where order_id is null or customer_id is null or ordered_at is null
union all
select 'order_lines', order_line_id from {{ ref('stg_order_lines') }}
where order_line_id is null or quantity is null or amount is null
union all
select 'returns', return_id from {{ ref('stg_returns') }}
where return_id is null or return_date is null or refund_amount is null
