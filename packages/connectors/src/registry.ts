import type { Connector } from '@trellis/connector-kit/connector'

/** Every platform the product knows, in the order in which the catalogue shows them. */
export const CONNECTORS: readonly Connector[] = []
