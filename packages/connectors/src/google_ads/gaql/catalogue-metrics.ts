/**
 * Grouped as the platform allows them. One `name:type` per field: i integer, d decimal, s text, b boolean, date, r
 * resource name, e(…) enum with its values, e a large enum.
 */
export const METRIC_GROUPS = {
  clicks: 'clicks:i',
  basic: `impressions:i cost_micros:i ctr:d average_cpc:d average_cpm:d average_cost:d interactions:i
    interaction_rate:d engagements:i engagement_rate:d average_cpe:d invalid_clicks:i invalid_click_rate:d
    absolute_top_impression_percentage:d top_impression_percentage:d`,
  conversion: `conversions:d conversions_value:d all_conversions:d all_conversions_value:d conversions_by_conversion_date:d
    conversions_value_by_conversion_date:d all_conversions_by_conversion_date:d all_conversions_value_by_conversion_date:d
    view_through_conversions:i value_per_conversion:d value_per_all_conversions:d cross_device_conversions:d
    current_model_attributed_conversions:d current_model_attributed_conversions_value:d`,
  conversion_rate: `cost_per_conversion:d cost_per_all_conversions:d conversions_from_interactions_rate:d
    all_conversions_from_interactions_rate:d conversions_value_per_cost:d all_conversions_value_per_cost:d
    conversions_from_interactions_value_per_interaction:d`,
  share: `search_impression_share:d search_rank_lost_impression_share:d search_exact_match_impression_share:d
    search_top_impression_share:d search_absolute_top_impression_share:d search_rank_lost_top_impression_share:d
    search_rank_lost_absolute_top_impression_share:d search_click_share:d content_impression_share:d
    content_rank_lost_impression_share:d`,
  budget_share: `search_budget_lost_impression_share:d content_budget_lost_impression_share:d
    search_budget_lost_top_impression_share:d search_budget_lost_absolute_top_impression_share:d`,
  video: `video_views:i video_view_rate:d average_cpv:d video_quartile_p25_rate:d video_quartile_p50_rate:d
    video_quartile_p75_rate:d video_quartile_p100_rate:d active_view_impressions:i active_view_measurability:d
    active_view_viewability:d active_view_ctr:d active_view_cpm:d active_view_measurable_impressions:i`,
  quality: `historical_quality_score:i historical_creative_quality_score:e(ABOVE_AVERAGE|AVERAGE|BELOW_AVERAGE)
    historical_landing_page_quality_score:e(ABOVE_AVERAGE|AVERAGE|BELOW_AVERAGE)
    historical_search_predicted_ctr:e(ABOVE_AVERAGE|AVERAGE|BELOW_AVERAGE)`,
  landing: `mobile_friendly_clicks_percentage:d valid_accelerated_mobile_pages_clicks_percentage:d speed_score:i`,
  phone: `phone_calls:i phone_impressions:i phone_through_rate:d`,
} as const

const DAYS = 'MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY'
const MONTHS = 'JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER'

export const SEGMENT_GROUPS = {
  dates: `date:date week:date month:date quarter:date year:i`,
  day: `day_of_week:e(${DAYS}) month_of_year:e(${MONTHS})`,
  hour: `hour:i`,
  device: `device:e(CONNECTED_TV|DESKTOP|MOBILE|OTHER|TABLET)`,
  network: `ad_network_type:e(CONTENT|GOOGLE_TV|MIXED|SEARCH|SEARCH_PARTNERS|YOUTUBE)`,
  click: `click_type:e slot:e(CONTENT|MIXED|SEARCH_OTHER|SEARCH_PARTNER_OTHER|SEARCH_PARTNER_TOP|SEARCH_SIDE|SEARCH_TOP)`,
  conversion: `conversion_action:r conversion_action_name:s conversion_action_category:e
    external_conversion_source:e conversion_adjustment:b conversion_lag_bucket:e conversion_or_adjustment_lag_bucket:e
    conversion_attribution_event_type:e(IMPRESSION|INTERACTION)`,
  geo: `geo_target_city:r geo_target_county:r geo_target_district:r geo_target_metro:r geo_target_most_specific_location:r
    geo_target_postal_code:r geo_target_province:r geo_target_region:r geo_target_state:r geo_target_country:r`,
  keyword: `keyword.ad_group_criterion:r keyword.info.match_type:e(BROAD|EXACT|PHRASE) keyword.info.text:s`,
  search: `search_term_match_type:e(BROAD|EXACT|NEAR_EXACT|NEAR_PHRASE|PHRASE)`,
  product: `product_aggregator_id:i product_brand:s product_channel:e(LOCAL|ONLINE) product_condition:e(NEW|REFURBISHED|USED)
    product_channel_exclusivity:e(MULTI_CHANNEL|SINGLE_CHANNEL) product_country:s product_custom_attribute0:s
    product_custom_attribute1:s product_custom_attribute2:s product_custom_attribute3:s product_custom_attribute4:s
    product_item_id:s product_language:s product_merchant_id:i product_store_id:s product_title:s product_type_l1:s
    product_type_l2:s product_type_l3:s product_type_l4:s product_type_l5:s product_category_level1:s
    product_category_level2:s product_category_level3:s product_category_level4:s product_category_level5:s`,
  asset: `asset_interaction_target.asset:r asset_interaction_target.interaction_on_this_asset:b`,
} as const

export type MetricGroup = keyof typeof METRIC_GROUPS
export type SegmentGroup = keyof typeof SEGMENT_GROUPS
export const CORE_DATES = ['segments.date', 'segments.week', 'segments.month', 'segments.quarter', 'segments.year']
