import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { Result } from '@trellis/workspace-db/session'
import { toResultColumns } from './column-types.ts'

export const toColumnsOfResult = ({ columns }: Result): ResultColumn[] => toResultColumns(columns)
