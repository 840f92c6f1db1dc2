import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { Result } from '@trellis/workspace-db/session'
import { toResultColumns } from './column-types.ts'

/** Columns of a result with types as people write them. */
export const toColumnsOfResult = ({ columns }: Result): ResultColumn[] => toResultColumns(columns)
