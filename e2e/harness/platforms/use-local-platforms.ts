/** Preloaded: redirects HubSpot and Shopify to a local server. */
import { hubspot } from '@trellis/connectors/hubspot/connector'
import { shopify } from '@trellis/connectors/shopify/connector'

const address = process.env['E2E_PLATFORMS'] ?? ''
Object.assign(hubspot, { hosts: { api: address, app: address } })
Object.assign(shopify, { hosts: { shop: address } })
