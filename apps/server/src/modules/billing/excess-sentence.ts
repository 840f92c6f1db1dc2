import type { Excess } from '@trellis/contract/billing/plans'

const GIB = 1_073_741_824
const formatGigabytes = (bytes: number) => `${(bytes / GIB).toFixed(2)} GB`

const LINES: Record<Excess['what'], (excess: Excess) => string> = {
  seats: ({ used, limit }) => `User seats: ${used} in use (Limit: ${limit})`,
  workspaces: ({ used, limit }) => `Workspaces: ${used} created (Limit: ${limit})`,
  storage: ({ used, limit }) => `DB storage: ${formatGigabytes(used)} in use (Limit: ${formatGigabytes(limit)})`,
}

export function describeExcess(excess: readonly Excess[]): string {
  return [
    'Your current usage exceeds the limits of this plan:',
    ...excess.map((other) => LINES[other.what](other)),
  ].join('\n')
}
