import { WorkspaceDbError } from '../../errors.ts'
import type { Session } from '../../session.ts'
import type { EditableTable } from './editable-table.ts'
import type { RowEdit } from './row-edit.ts'

export class RowEditError extends WorkspaceDbError {
  readonly edit: number
  readonly column: string | null

  constructor(fault: WorkspaceDbError, location: { edit: number; column: string | null }) {
    const { code, message, sqlState, hint } = fault
    const prefix = location.column === null ? '' : `Column "${location.column}": `
    super({ code, message: `${prefix}${message}`, sqlState, hint, cause: fault })
    this.edit = location.edit
    this.column = location.column
  }
}

/** SQLSTATEs about values: data exceptions, constraints, casts. */
const VALUE_FAULTS = /^22|^23|^42846$|^42804$/

export async function explainEditFault(
  session: Session,
  table: EditableTable,
  { edit, at: index, fault }: { edit: RowEdit; at: number; fault: unknown },
): Promise<unknown> {
  if (!(fault instanceof WorkspaceDbError)) return fault
  const isAboutValue = VALUE_FAULTS.test(fault.sqlState ?? '')
  const column = isAboutValue
    ? (findNamedColumn(table, fault) ??
      findTooLongColumn(table, edit, fault) ??
      (await findUncastableColumn(session, table, edit)))
    : null
  return new RowEditError(fault, { edit: index, column })
}

interface ServerFault {
  readonly column?: string | undefined
  readonly detail?: string | undefined
}

/** `Key (email)=(a@b.c) already exists.` names the column of a single-column key. */
function findNamedColumn(table: EditableTable, fault: WorkspaceDbError): string | null {
  const { column, detail = '' } = (fault.cause ?? {}) as ServerFault
  const columnName = column ?? /^Key \(("?)(.+?)\1\)=/.exec(detail)?.[2]
  return table.columns.find(({ name }) => name === columnName)?.name ?? null
}

const listGivenCells = (edit: RowEdit) =>
  edit.kind === 'insert' ? edit.values : edit.kind === 'update' ? edit.changes : []

/** A cast would truncate, so only the message tells: `value too long for type …`. */
function findTooLongColumn(table: EditableTable, edit: RowEdit, { message }: WorkspaceDbError): string | null {
  const type = /^value too long for type (.+)$/.exec(message)?.[1]
  const names = new Set(listGivenCells(edit).map(({ column }) => column))
  const matching = table.columns.filter((column) => column.type === type && names.has(column.name))
  return matching.length === 1 ? (matching[0]?.name ?? null) : null
}

async function findUncastableColumn(session: Session, table: EditableTable, edit: RowEdit): Promise<string | null> {
  for (const { column: name, value } of listGivenCells(edit)) {
    const column = table.columns.find((candidate) => candidate.name === name)
    if (!column || value === null) continue
    try {
      await session.query({ text: `select $1::${column.castType}::${column.type}`, values: [value] })
    } catch {
      return name
    }
  }
  return null
}
