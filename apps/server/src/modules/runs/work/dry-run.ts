import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { RunFault, type RunRequest, type RunWork } from '../runner/run-work.ts'

/** Nothing is changed by a dry run: it may go on and tell what the changes would be. */
export const agreesToChanges = ({ accepts_changes: accepts, is_shadow: isShadow }: RunRequest): boolean =>
  accepts === true || isShadow === true

/** SQL without a table its rows go to: what it does is in its statements. */
export const writesByItself = ({ language, write }: Pick<TransformationSettings, 'language' | 'write'>): boolean =>
  language === 'sql' && !write

/** Before anything that can only be done for good. */
export function assertNoShadow({ run }: Pick<RunWork, 'run'>): void {
  if (run.request.is_shadow) throw new RunFault('configuration', NO_SHADOW)
}
export const NO_SHADOW = 'Only rows that go to a table of this workspace by its write settings can be compared with it.'
