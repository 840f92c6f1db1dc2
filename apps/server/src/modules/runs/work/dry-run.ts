import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { RunFault, type RunRequest, type RunWork } from '../runner/run-work.ts'

export const acceptsSchemaChanges = ({ accepts_changes: acceptsChanges, is_shadow: isShadow }: RunRequest): boolean =>
  acceptsChanges === true || isShadow === true

export const writesWithoutTarget = ({ language, write }: Pick<TransformationSettings, 'language' | 'write'>): boolean =>
  language === 'sql' && !write

/** Before anything irreversible. */
export function assertNotDryRun({ run }: Pick<RunWork, 'run'>): void {
  if (run.request.is_shadow) throw new RunFault('configuration', DRY_RUN_UNAVAILABLE)
}
export const DRY_RUN_UNAVAILABLE =
  'Only rows that go to a table of this workspace by its write settings can be compared with it.'
