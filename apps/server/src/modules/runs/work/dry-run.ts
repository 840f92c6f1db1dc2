import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { RunFault, type RunRequest, type RunWork } from '../runner/run-work.ts'

export const agreesToChanges = ({ accepts_changes: accepts, is_shadow: isShadow }: RunRequest): boolean =>
  accepts === true || isShadow === true

export const writesByItself = ({ language, write }: Pick<TransformationSettings, 'language' | 'write'>): boolean =>
  language === 'sql' && !write

/** Before anything irreversible. */
export function assertNoShadow({ run }: Pick<RunWork, 'run'>): void {
  if (run.request.is_shadow) throw new RunFault('configuration', NO_SHADOW)
}
export const NO_SHADOW = 'Only rows that go to a table of this workspace by its write settings can be compared with it.'
