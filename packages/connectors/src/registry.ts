import type { Connector } from '@trellis/connector-kit/connector'
import { googleAds } from './google_ads/connector.ts'
import { googleAnalytics } from './google_analytics/connector.ts'
import { googleSheets } from './google_sheets/connector.ts'
import { httpFiles } from './http_files/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { metaAds } from './meta_ads/connector.ts'
import { mysql } from './mysql/connector.ts'
import { postgresql } from './postgresql/connector.ts'
import { rest } from './rest/connector.ts'
import { s3Files } from './s3_files/connector.ts'
import { sampleData } from './sample_data/connector.ts'
import { shopify } from './shopify/connector.ts'
import { stripe } from './stripe/connector.ts'
import { trellisDatabase } from './trellis_database/connector.ts'
import { webhook } from './webhook/connector.ts'

export const CONNECTORS: readonly Connector[] = [
  trellisDatabase,
  sampleData,
  postgresql,
  mysql,
  httpFiles,
  s3Files,
  googleAds,
  googleAnalytics,
  googleSheets,
  metaAds,
  hubspot,
  shopify,
  stripe,
  rest,
  webhook,
]
