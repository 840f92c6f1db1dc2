/** Dimensions of every property; custom ones come from its metadata. */
const DIMENSIONS = `date:Date|dateHour:Date and hour|week:Week|month:Month|year:Year|dayOfWeek:Day of week|hour:Hour
  |eventName:Event|sessionSource:Session source|sessionMedium:Session medium|sessionCampaignName:Session campaign
  |sessionDefaultChannelGroup:Session channel group|sessionSourceMedium:Session source and medium
  |sessionManualTerm:Session term|sessionManualAdContent:Session ad content|firstUserSource:First user source
  |firstUserMedium:First user medium|firstUserCampaignName:First user campaign
  |firstUserDefaultChannelGroup:First user channel group|source:Source|medium:Medium|campaignName:Campaign
  |defaultChannelGroup:Channel group|country:Country|countryId:Country code|region:Region|city:City|continent:Continent
  |language:Language|deviceCategory:Device category|browser:Browser|operatingSystem:Operating system|platform:Platform
  |screenResolution:Screen resolution|pagePath:Page path|pageTitle:Page title|pageLocation:Page address
  |pageReferrer:Page referrer|landingPage:Landing page|hostName:Host name|contentGroup:Content group|newVsReturning:New or returning
  |itemName:Item name|itemId:Item id|itemBrand:Item brand|itemCategory:Item category|transactionId:Transaction
  |streamName:Stream|userAgeBracket:Age|userGender:Gender|linkUrl:Link address|searchTerm:Search term|signedInWithUserId:Signed in`

type MetricType = 'TYPE_INTEGER' | 'TYPE_FLOAT' | 'TYPE_CURRENCY' | 'TYPE_SECONDS'

const METRICS: Readonly<Record<MetricType, string>> = {
  TYPE_INTEGER: `activeUsers:Active users|newUsers:New users|totalUsers:Total users|sessions:Sessions|engagedSessions:Engaged sessions
    |screenPageViews:Views|eventCount:Events|transactions:Transactions|ecommercePurchases:Purchases|addToCarts:Added to cart
    |checkouts:Checkouts|itemsPurchased:Items bought|itemsViewed:Items viewed|totalPurchasers:Buyers|active7DayUsers:Active users, 7 days
    |active28DayUsers:Active users, 28 days`,
  TYPE_FLOAT: `bounceRate:Bounce rate|engagementRate:Engagement rate|sessionsPerUser:Sessions per user|eventsPerSession:Events per session
    |screenPageViewsPerSession:Views per session|sessionConversionRate:Session conversion rate|keyEvents:Key events
    |sessionKeyEventRate:Session key event rate|userKeyEventRate:User key event rate`,
  TYPE_CURRENCY: `totalRevenue:Total revenue|purchaseRevenue:Purchase revenue|averagePurchaseRevenue:Average purchase revenue
    |itemRevenue:Item revenue|advertiserAdCost:Ad cost`,
  TYPE_SECONDS: `averageSessionDuration:Average session duration|userEngagementDuration:Engagement duration`,
}

export interface CatalogueDimension {
  readonly name: string
  readonly label: string
}
export interface CatalogueMetric extends CatalogueDimension {
  readonly type: MetricType
}

const listNamesIn = (text: string): CatalogueDimension[] =>
  text
    .split('|')
    .map((item) => item.trim().split(':'))
    .map(([name = '', label = '']) => ({ name, label }))

export const KNOWN_DIMENSIONS: readonly CatalogueDimension[] = listNamesIn(DIMENSIONS)
export const KNOWN_METRICS: readonly CatalogueMetric[] = Object.entries(METRICS).flatMap(([type, text]) =>
  listNamesIn(text).map((catalogueDimension) => ({ ...catalogueDimension, type: type as MetricType })),
)

export const EVENTS = [
  'add_payment_info',
  'add_shipping_info',
  'add_to_cart',
  'add_to_wishlist',
  'begin_checkout',
  'click',
  'file_download',
  'first_visit',
  'form_start',
  'form_submit',
  'generate_lead',
  'login',
  'page_view',
  'purchase',
  'refund',
  'remove_from_cart',
  'scroll',
  'search',
  'select_item',
  'session_start',
  'share',
  'sign_up',
  'user_engagement',
  'video_complete',
  'video_start',
  'view_cart',
  'view_item',
  'view_item_list',
  'view_promotion',
] as const
