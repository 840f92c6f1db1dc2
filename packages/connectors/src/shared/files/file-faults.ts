import type { RejectedRecord } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { NOT_UTF8 } from '@trellis/table-files/read/csv-rows'
import { type RowFault, SHOWN_RAW } from '@trellis/table-files/read/dialect'
import { splitRecord } from '@trellis/table-files/read/record-fields'
import { createRecordScanner } from '@trellis/table-files/read/record-scanner'
import { toSeparators } from '@trellis/table-files/read/separators'
import type { ProfiledFile } from './profiled-file.ts'

const SHOWN_FAULTS = 5
/** Kept until valid rows follow. More mean that the settings are wrong. */
const MAX_HELD_RECORDS = 100_000

/** The file is not UTF-8, and its encoding was only guessed. */
export class OtherEncoding extends Error {}

export interface FaultCollector {
  report(fault: RowFault): void
  count(): number
  take(): readonly RejectedRecord[]
}

/** Malformed records up to the line `since` were reported before. */
export function collectFaults(
  context: ConnectorContext,
  knownProfiledFile: ProfiledFile,
  since: number,
): FaultCollector {
  const { file, profile } = knownProfiledFile
  let held: RejectedRecord[] = []
  let count = 0
  return {
    report({ line, reason, raw }) {
      if (reason === NOT_UTF8 && profile.is_encoding_sure !== true) throw new OtherEncoding()
      if (line <= since) return
      count += 1
      if (count <= SHOWN_FAULTS) context.log('WARNING', `${file.name}, line ${line}: ${reason} The row is rejected.`)
      held.push({ line, reason, raw, cells: splitCells(knownProfiledFile, raw) })
      if (held.length > MAX_HELD_RECORDS) throw tooManyRejectedError(file.name, held[0])
    },
    count: () => held.length,
    take() {
      const takenRejectedRecords = held
      held = []
      return takenRejectedRecords
    },
  }
}

function tooManyRejectedError(name: string, first: RejectedRecord | undefined): ConnectorError {
  const example = first ? ` Line ${first.line}: ${first.reason}` : ''
  const most = MAX_HELD_RECORDS.toLocaleString('en')
  return new ConnectorError('configuration', `${name}: more than ${most} malformed records in a row.${example}`, {
    advice: 'Look at the file, or choose its format.',
  })
}

/** Split by position, as a start for correcting the row. */
function splitCells({ profile: { dialect }, names }: ProfiledFile, raw: string): Record<string, string | null> {
  if (dialect.format !== 'csv' || raw.length >= SHOWN_RAW) return {}
  const separators = toSeparators(dialect)
  let texts: string[] = []
  const scanner = createRecordScanner(separators, (record) => {
    texts = splitRecord(record, separators).map(({ text }) => text)
  })
  scanner.push(Buffer.from(raw))
  scanner.end()
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? null]))
}
