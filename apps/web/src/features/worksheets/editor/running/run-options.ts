import type { Parameters, SqlLimits } from '@trellis/contract/sql/sql.schemas'
import type { EditorSettings } from '@trellis/contract/worksheets/editor-settings'

export interface RunOptions {
  readonly rowLimit: number
  readonly timeoutSeconds: number
  readonly mustAsk: boolean
  readonly chooseParameters: (sql: string) => Parameters
}

export const toRunOptions = (
  settings: EditorSettings,
  limits: SqlLimits | undefined,
  chooseParameters: RunOptions['chooseParameters'],
): RunOptions => ({
  rowLimit: Math.min(settings.row_limit, limits?.max_row_limit ?? settings.row_limit),
  timeoutSeconds: Math.min(settings.timeout_seconds, limits?.max_timeout_seconds ?? settings.timeout_seconds),
  mustAsk: settings.confirm_destructive,
  chooseParameters,
})
