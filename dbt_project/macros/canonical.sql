{# One name for each thing, however it was written. Case, spaces and dashes around and within do not matter;
   an unknown spelling passes through trimmed, so the accepted_values tests report it. #}

{% macro canonical(column, names) -%}
  case {{ spelling_key(column) }}
  {%- for name, others in names.items() %}
  {%- for spelling in [name] + others %}
    when '{{ spelling | lower | replace(' ', '') | replace('-', '') }}' then '{{ name }}'
  {%- endfor %}
  {%- endfor %}
    else {{ clean_text(column) }}
  end
{%- endmacro %}

{% macro spelling_key(column) -%}
  lower(regexp_replace({{ clean_text(column) }}, '[\s-]+', '', 'g'))
{%- endmacro %}

{% macro countries() %}
  {{ return({
    'Austria': ['AT'], 'France': ['FR'], 'Germany': ['DE'], 'Ireland': ['IE'], 'Italy': ['IT'],
    'Netherlands': ['NL'], 'Poland': ['PL'], 'Spain': ['ES'], 'Sweden': ['SE'],
    'United Kingdom': ['UK', 'GB'],
  }) }}
{% endmacro %}

{% macro statuses() %}
  {{ return({'completed': ['complete'], 'cancelled': ['canceled'], 'pending': []}) }}
{% endmacro %}

{% macro order_channels() %}
  {{ return({'Web': ['website'], 'Mobile App': ['app'], 'Marketplace': [], 'Phone': ['telephone']}) }}
{% endmacro %}

{% macro ad_channels() %}
  {{ return({
    'Search': ['Paid Search'], 'Social': ['Social Media'], 'Display': ['Display Ads'],
    'Affiliate': ['affiliates'], 'Newsletter': [],
  }) }}
{% endmacro %}

{% macro categories() %}
  {{ return({'Electronics': [], 'Clothing': [], 'Home': [], 'Kitchen': [], 'Garden': [], 'Toys': []}) }}
{% endmacro %}

{% macro return_reasons() %}
  {{ return({
    'Wrong size': [], 'Changed mind': [], 'Damaged': [], 'Not as described': [], 'Arrived late': [],
  }) }}
{% endmacro %}
