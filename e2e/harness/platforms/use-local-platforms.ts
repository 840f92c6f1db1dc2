/** Loaded before the product: HubSpot and Shopify are a server of the test instead of their own. */
import { hubspot } from '@trellis/connectors/hubspot/connector'
import { shopify } from '@trellis/connectors/shopify/connector'

const address = process.env['E2E_PLATFORMS'] ?? ''
Object.assign(hubspot, { hosts: { api: address, app: address } })
Object.assign(shopify, { hosts: { shop: address } })
