import type { AccountTables, PlatformAccountTables } from './tables/accounts.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { RequestTables } from './tables/requests.ts'

/** Tables any part of the platform may name. */
export type PlatformTables = IdentityTables & PlatformAccountTables & RequestTables

/** Tables whose rows belong to one account. A tenant's ctx can't name them but through `scoped`. */
export type ScopedTables = AccountTables

export type Tables = PlatformTables & ScopedTables
