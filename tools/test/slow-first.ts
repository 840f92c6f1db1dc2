import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** More than ten seconds each. Started last, one would keep a core busy while the others are idle. */
const SLOW = [
  'tools/scaffold/scaffold.test.ts',
  'tools/api-clients/api-clients.test.ts',
  'modules/runs/work/schema-policies.test.ts',
  'modules/uploads/torture.test.ts',
  'modules/uploads/awkward.test.ts',
  'modules/runs/work/changes/soft-deletes.test.ts',
  'platform/clusters/moves/moves.slow.test.ts',
  'admin/admin.slow.test.ts',
  'modules/ai/answer/injections.test.ts',
  'modules/worksheets/worksheets.test.ts',
  'modules/worksheets/interleavings.test.ts',
  'modules/worksheets/git/git.test.ts',
  'http/sweep/hostile-input.test.ts',
  'http/sweep/role-matrix.test.ts',
  'http/sweep/linked-requests.test.ts',
  'http/sweep/repeated-requests.test.ts',
  'http/sweep/unstorable-text.test.ts',
  'http/sweep/outsider.test.ts',
  'modules/runs/work/changes/changes.test.ts',
  'modules/runs/loaded/undo.test.ts',
  'modules/billing/webhook-orders.test.ts',
  'admin/backup/drill.slow.test.ts',
  'supervisor/supervise.slow.test.ts',
  'modules/explorer/hostile.test.ts',
  'embedded/src/postgres/root-start.test.ts',
  'modules/runs/work/again.test.ts',
  'connectors/src/postgresql/ranges.test.ts',
  'table-files/src/awkward/awkward.test.ts',
  'table-files/src/awkward/random/random-formats.test.ts',
  'features/dataflows/setup/setup.test.tsx',
  'sandbox/src/hostile.test.ts',
  'modules/integrations/guarded-connectors.test.ts',
  'modules/uploads/killed.test.ts',
  'jobs/src/killed-worker.test.ts',
  'workspace-db/src/rows/rows.test.ts',
  'modules/runs/work/killed.test.ts',
  'jobs/src/run-jobs.test.ts',
  'modules/runs/killed.test.ts',
  'connectors/src/http_files/connector.test.ts',
  'features/billing/billing-tabs.test.tsx',
  'modules/runs/work/csv.test.ts',
  'modules/uploads/cancelled.test.ts',
  'workspace-db/src/probes/contained.test.ts',
  'modules/uploads/deliver.test.ts',
  'modules/runs/runs.test.ts',
]

const getRank = ({ moduleId }: TestSpecification): number => {
  const index = SLOW.findIndex((path) => moduleId.endsWith(path))
  return index < 0 ? SLOW.length : index
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = super.sort.bind(this)
    return (await usual(files)).toSorted((item, other) => getRank(item) - getRank(other))
  }
}
