import type { MetricGroup, SegmentGroup } from './catalogue-metrics.ts'

/**
 * `name:type` as for metrics; `[]` means repeated, `m` a message, which can be selected but not filtered or sorted by.
 */
export interface ResourceText {
  readonly fields: string
  readonly along?: string
  readonly metrics?: readonly MetricGroup[]
  readonly segments?: readonly SegmentGroup[]
}

const STATUS = 'e(ENABLED|PAUSED|REMOVED)'
const METRICS: readonly MetricGroup[] = ['clicks', 'basic', 'conversion', 'conversion_rate', 'video']
const SEGMENTS: readonly SegmentGroup[] = ['dates', 'day', 'device', 'network', 'click', 'conversion']
const CRITERION = `ad_group:r criterion_id:i status:${STATUS} negative:b type:e display_name:s bid_modifier:d cpc_bid_micros:i
  effective_cpc_bid_micros:i final_urls:s[] labels:r[] approval_status:e(APPROVED|DISAPPROVED|PENDING_REVIEW|UNDER_REVIEW)
  keyword.text:s keyword.match_type:e(BROAD|EXACT|PHRASE) quality_info.quality_score:i
  quality_info.creative_quality_score:e(ABOVE_AVERAGE|AVERAGE|BELOW_AVERAGE)
  quality_info.post_click_quality_score:e(ABOVE_AVERAGE|AVERAGE|BELOW_AVERAGE)
  quality_info.search_predicted_ctr:e(ABOVE_AVERAGE|AVERAGE|BELOW_AVERAGE) age_range.type:e gender.type:e(FEMALE|MALE|UNDETERMINED)
  position_estimates.first_page_cpc_micros:i position_estimates.top_of_page_cpc_micros:i tracking_url_template:s`
const ASSET_LINK = `asset:r field_type:e status:${STATUS} source:e(ADVERTISER|AUTOMATICALLY_CREATED)`

export const RESOURCES: Readonly<Record<string, ResourceText>> = {
  customer: {
    fields: `id:i descriptive_name:s currency_code:s time_zone:s manager:b test_account:b auto_tagging_enabled:b
      tracking_url_template:s final_url_suffix:s status:e(CANCELED|CLOSED|ENABLED|SUSPENDED) optimization_score:d
      optimization_score_weight:d has_partners_badge:b pay_per_conversion_eligibility_failure_reasons:e[]
      conversion_tracking_setting.conversion_tracking_id:i conversion_tracking_setting.google_ads_conversion_customer:r`,
    metrics: [...METRICS, 'share', 'budget_share'],
    segments: [...SEGMENTS, 'hour'],
  },
  customer_client: {
    fields: `client_customer:r id:i descriptive_name:s currency_code:s time_zone:s manager:b hidden:b level:i test_account:b
      applied_labels:r[] status:e(CANCELED|CLOSED|ENABLED|SUSPENDED)`,
    along: 'customer',
  },
  campaign: {
    fields: `id:i name:s status:${STATUS} serving_status:e(ENDED|NONE|PENDING|SERVING|SUSPENDED)
      advertising_channel_type:e(DEMAND_GEN|DISPLAY|HOTEL|LOCAL|LOCAL_SERVICES|MULTI_CHANNEL|PERFORMANCE_MAX|SEARCH|SHOPPING|SMART|TRAVEL|VIDEO)
      advertising_channel_sub_type:e bidding_strategy:r bidding_strategy_type:e campaign_budget:r campaign_group:r
      start_date:date end_date:date labels:r[] optimization_score:d payment_mode:e tracking_url_template:s final_url_suffix:s
      base_campaign:r experiment_type:e(BASE|DRAFT|EXPERIMENT) primary_status:e primary_status_reasons:e[] url_custom_parameters:m[]
      network_settings.target_google_search:b network_settings.target_search_network:b network_settings.target_content_network:b
      target_cpa.target_cpa_micros:i target_roas.target_roas:d maximize_conversions.target_cpa_micros:i
      maximize_conversion_value.target_roas:d shopping_setting.merchant_id:i shopping_setting.campaign_priority:i
      geo_target_type_setting.positive_geo_target_type:e ad_serving_optimization_status:e`,
    along: 'customer campaign_budget bidding_strategy',
    metrics: [...METRICS, 'share', 'budget_share', 'phone'],
    segments: [...SEGMENTS, 'hour', 'asset'],
  },
  campaign_budget: {
    fields: `id:i name:s amount_micros:i total_amount_micros:i status:e(ENABLED|REMOVED) delivery_method:e(ACCELERATED|STANDARD)
      explicitly_shared:b reference_count:i period:e(CUSTOM_PERIOD|DAILY) type:e has_recommended_budget:b
      recommended_budget_amount_micros:i`,
    along: 'customer',
    metrics: METRICS,
    segments: ['dates', 'day', 'device', 'network', 'conversion'],
  },
  bidding_strategy: {
    fields: `id:i name:s status:e(ENABLED|REMOVED) type:e campaign_count:i non_removed_campaign_count:i currency_code:s
      target_cpa.target_cpa_micros:i target_roas.target_roas:d`,
    along: 'customer',
    metrics: METRICS,
    segments: ['dates', 'day', 'device', 'conversion'],
  },
  ad_group: {
    fields: `id:i name:s status:${STATUS} type:e campaign:r base_ad_group:r cpc_bid_micros:i cpm_bid_micros:i cpv_bid_micros:i
      target_cpa_micros:i target_roas:d effective_target_cpa_micros:i effective_target_roas:d labels:r[] final_url_suffix:s
      tracking_url_template:s ad_rotation_mode:e(OPTIMIZE|ROTATE_FOREVER) url_custom_parameters:m[] primary_status:e`,
    along: 'customer campaign',
    metrics: [...METRICS, 'share', 'phone'],
    segments: [...SEGMENTS, 'hour', 'asset'],
  },
  ad_group_ad: {
    fields: `ad_group:r status:${STATUS} ad_strength:e(AVERAGE|EXCELLENT|GOOD|NO_ADS|PENDING|POOR) labels:r[] primary_status:e
      policy_summary.approval_status:e(APPROVED|APPROVED_LIMITED|AREA_OF_INTEREST_ONLY|DISAPPROVED) policy_summary.review_status:e
      policy_summary.policy_topic_entries:m[] ad.id:i ad.name:s ad.type:e ad.final_urls:s[] ad.final_mobile_urls:s[]
      ad.tracking_url_template:s ad.display_url:s ad.device_preference:e ad.added_by_google_ads:b
      ad.responsive_search_ad.headlines:m[] ad.responsive_search_ad.descriptions:m[] ad.responsive_search_ad.path1:s
      ad.responsive_search_ad.path2:s ad.expanded_text_ad.headline_part1:s ad.expanded_text_ad.headline_part2:s
      ad.expanded_text_ad.description:s ad.image_ad.image_url:s`,
    along: 'customer campaign ad_group',
    metrics: METRICS,
    segments: [...SEGMENTS, 'keyword', 'asset'],
  },
  ad_group_criterion: { fields: CRITERION, along: 'customer campaign ad_group' },
  keyword_view: {
    fields: '',
    along: 'customer campaign ad_group ad_group_criterion bidding_strategy',
    metrics: [...METRICS, 'share', 'quality'],
    segments: SEGMENTS,
  },
  display_keyword_view: {
    fields: '',
    along: 'customer campaign ad_group ad_group_criterion',
    metrics: METRICS,
    segments: SEGMENTS,
  },
  search_term_view: {
    fields: `ad_group:r search_term:s status:e(ADDED|ADDED_EXCLUDED|EXCLUDED|NONE)`,
    along: 'customer campaign ad_group',
    metrics: ['clicks', 'basic', 'conversion', 'conversion_rate'],
    segments: ['dates', 'day', 'device', 'network', 'conversion', 'keyword', 'search'],
  },
  click_view: {
    fields: `gclid:s ad_group_ad:r campaign_location_target:r keyword:r keyword_info.text:s keyword_info.match_type:e(BROAD|EXACT|PHRASE)
      page_number:i user_list:r area_of_interest.city:r area_of_interest.country:r area_of_interest.region:r
      area_of_interest.most_specific:r location_of_presence.city:r location_of_presence.country:r location_of_presence.region:r
      location_of_presence.most_specific:r`,
    along: 'customer campaign ad_group',
    metrics: ['clicks'],
    segments: ['dates', 'device', 'network', 'click'],
  },
  geographic_view: {
    fields: `country_criterion_id:i location_type:e(AREA_OF_INTEREST|LOCATION_OF_PRESENCE)`,
    along: 'customer campaign ad_group',
    metrics: METRICS,
    segments: ['dates', 'day', 'device', 'network', 'geo', 'conversion'],
  },
  user_location_view: {
    fields: `country_criterion_id:i targeting_location:b`,
    along: 'customer campaign ad_group',
    metrics: METRICS,
    segments: ['dates', 'day', 'device', 'network', 'geo', 'conversion'],
  },
  shopping_performance_view: {
    fields: '',
    along: 'customer campaign ad_group',
    metrics: ['clicks', 'basic', 'conversion', 'conversion_rate', 'share'],
    segments: ['dates', 'day', 'device', 'network', 'click', 'conversion', 'product'],
  },
  product_group_view: {
    fields: '',
    along: 'customer campaign ad_group ad_group_criterion',
    metrics: ['clicks', 'basic', 'conversion', 'conversion_rate', 'share'],
    segments: ['dates', 'day', 'device', 'network', 'click', 'conversion'],
  },
  age_range_view: {
    fields: '',
    along: 'customer campaign ad_group ad_group_criterion',
    metrics: METRICS,
    segments: SEGMENTS,
  },
  gender_view: {
    fields: '',
    along: 'customer campaign ad_group ad_group_criterion',
    metrics: METRICS,
    segments: SEGMENTS,
  },
  landing_page_view: {
    fields: 'unexpanded_final_url:s',
    along: 'customer campaign ad_group',
    metrics: [...METRICS, 'landing'],
    segments: ['dates', 'day', 'device', 'network'],
  },
  campaign_criterion: {
    fields: `campaign:r criterion_id:i display_name:s negative:b status:${STATUS} type:e bid_modifier:d keyword.text:s
      keyword.match_type:e(BROAD|EXACT|PHRASE) location.geo_target_constant:r language.language_constant:r
      ad_schedule.day_of_week:e(MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY) ad_schedule.start_hour:i ad_schedule.end_hour:i`,
    along: 'customer campaign',
  },
  ad_schedule_view: {
    fields: '',
    along: 'customer campaign campaign_criterion',
    metrics: METRICS,
    segments: SEGMENTS,
  },
  conversion_action: {
    fields: `id:i name:s status:e(ENABLED|HIDDEN|REMOVED) type:e category:e origin:e counting_type:e(MANY_PER_CLICK|ONE_PER_CLICK)
      primary_for_goal:b include_in_conversions_metric:b click_through_lookback_window_days:i view_through_lookback_window_days:i
      attribution_model_settings.attribution_model:e value_settings.default_value:d value_settings.default_currency_code:s
      tag_snippets:m[]`,
    along: 'customer',
    metrics: ['conversion'],
    segments: ['dates', 'day'],
  },
  asset: {
    fields: `id:i name:s type:e source:e(ADVERTISER|AUTOMATICALLY_CREATED) final_urls:s[] text_asset.text:s image_asset.file_size:i
      image_asset.full_size.url:s youtube_video_asset.youtube_video_id:s youtube_video_asset.youtube_video_title:s
      sitelink_asset.link_text:s callout_asset.callout_text:s policy_summary.approval_status:e`,
    along: 'customer',
  },
  campaign_asset: {
    fields: `campaign:r ${ASSET_LINK}`,
    along: 'customer campaign asset',
    metrics: ['clicks', 'basic', 'conversion'],
    segments: ['dates', 'day', 'device', 'network', 'click', 'asset'],
  },
  ad_group_asset: {
    fields: `ad_group:r ${ASSET_LINK}`,
    along: 'customer campaign ad_group asset',
    metrics: ['clicks', 'basic', 'conversion'],
    segments: ['dates', 'day', 'device', 'network', 'click', 'asset'],
  },
  asset_group: {
    fields: `id:i name:s campaign:r status:${STATUS} final_urls:s[] path1:s path2:s ad_strength:e(AVERAGE|EXCELLENT|GOOD|NO_ADS|PENDING|POOR)`,
    along: 'customer campaign',
    metrics: ['clicks', 'basic', 'conversion', 'conversion_rate'],
    segments: ['dates', 'day', 'device', 'network'],
  },
  label: {
    fields: `id:i name:s status:e(ENABLED|REMOVED) text_label.background_color:s text_label.description:s`,
    along: 'customer',
  },
  campaign_label: { fields: 'campaign:r label:r', along: 'customer campaign label' },
  user_list: {
    fields: `id:i name:s description:s membership_status:e(CLOSED|OPEN) membership_life_span:i size_for_display:i size_for_search:i
      eligible_for_display:b eligible_for_search:b type:e closing_reason:e match_rate_percentage:i`,
    along: 'customer',
  },
  geo_target_constant: {
    fields: `id:i name:s country_code:s target_type:s status:e(ENABLED|REMOVAL_PLANNED) canonical_name:s parent_geo_target:r`,
  },
  change_event: {
    fields: `change_date_time:date change_resource_type:e change_resource_name:s client_type:e user_email:s campaign:r ad_group:r
      resource_change_operation:e(CREATE|REMOVE|UPDATE) changed_fields:m old_resource:m new_resource:m`,
    along: 'customer campaign ad_group',
  },
}
