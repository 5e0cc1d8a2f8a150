{# Cleaning that does not mind which type the loader chose: everything passes through trimmed text. #}

{% macro clean_text(column) -%}
  nullif(trim(cast({{ column }} as varchar)), '')
{%- endmacro %}

{% macro clean_integer(column) -%}
  try_cast({{ clean_text(column) }} as bigint)
{%- endmacro %}

{% macro clean_money(column) -%}
  try_cast({{ clean_text(column) }} as decimal(12, 2))
{%- endmacro %}

{% macro clean_share(column) -%}
  try_cast({{ clean_text(column) }} as decimal(5, 4))
{%- endmacro %}

{% macro clean_date(column) -%}
  cast(try_cast({{ clean_text(column) }} as timestamp) as date)
{%- endmacro %}

{% macro clean_timestamp(column) -%}
  try_cast({{ clean_text(column) }} as timestamp)
{%- endmacro %}

{# One row for each key, the most complete one: the one with the fewest nulls among `filled`. #}
{% macro first_per(keys, filled=[]) -%}
  qualify row_number() over (
    partition by {{ keys | join(', ') }}
    order by {% for column in filled %}({{ column }} is null), {{ column }}{{ "" if loop.last else ", " }}{% else %}1{% endfor %}
  ) = 1
{%- endmacro %}
