import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each takes more than ten seconds. Begun last, one of them would keep one core busy while the others are idle. */
const SLOW = [
  'tools/scaffold/scaffold.test.ts',
  'modules/billing/webhook-orders.test.ts',
  'modules/uploads/torture.test.ts',
  'http/sweep/hostile-input.test.ts',
  'http/sweep/role-matrix.test.ts',
  'workspace-db/src/rows/rows.test.ts',
  'supervisor/supervise.slow.test.ts',
  'modules/uploads/killed.test.ts',
  'modules/uploads/cancelled.test.ts',
  'workspace-db/src/provision.test.ts',
  'jobs/src/killed-worker.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = SLOW.findIndex((path) => moduleId.endsWith(path))
  return place < 0 ? SLOW.length : place
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = super.sort.bind(this)
    return (await usual(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
