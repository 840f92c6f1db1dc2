import { isFormula, toFormulaSafe } from '@trellis/contract/core/formula-safe'
import { Copy, Download } from 'lucide-react'
import { saveBlob } from '../../../../api/save-file.ts'
import { Button } from '../../../../ui/actions/Button.tsx'
import { formatCount } from '../../../../ui/data/amounts.ts'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { copyText } from '../../../../ui/grid/copy-text.ts'
import { DataGrid } from '../../../../ui/grid/DataGrid.tsx'
import { ROW } from '../../../../ui/grid/grid-parts.ts'
import { useConversationQuestion } from '../conversation-question.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

const MAX_HEIGHT = 420
const FRAME_HEIGHT = 110
const EMPTY_ROWS = 3
const MAX_FILE_NAME = 60
/** Without a BOM Excel does not read UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal'])
const BOOLEANS: Readonly<Record<string, string>> = { t: 'true', f: 'false' }
const nothing = () => undefined

export default function AnswerTable({ table }: { table: PartOf<'table'> }) {
  const { question } = useConversationQuestion()
  const { rows, is_cut } = table
  const columns = table.columns.map(({ name, type, kind }, index) => ({
    key: String(index),
    title: name,
    note: type,
    isNumber: NUMBERS.has(kind),
    isBoolean: kind === 'boolean',
    isJson: kind === 'json',
  }))
  const toText = (value: string | null, column: number): string | null =>
    value !== null && columns[column]?.isBoolean ? (BOOLEANS[value] ?? value) : value
  const shown = { columns, rows: rows.map((row) => row.map(toText)) }
  const copy = () =>
    void navigator.clipboard
      .writeText(copyText('tsv', shown))
      .then(() => showToast({ tone: 'success', text: `${formatCount(rows.length, 'row')} copied.` }))
  const hasFormulas = rows.some((row) => row.some((cell) => cell !== null && isFormula(cell)))
  const download = (toCell: (text: string) => string) => {
    const cells = {
      columns: columns.map(({ title }) => ({ title: toCell(title) })),
      rows: shown.rows.map((row) => row.map((cell) => (cell === null ? null : toCell(cell)))),
    }
    saveBlob(
      new Blob([BYTE_ORDER_MARK, copyText('csv', cells), '\r\n'], { type: 'text/csv' }),
      `${toFileName(question)}.csv`,
    )
  }
  return (
    <div
      className={styles.table}
      style={{ height: Math.min(MAX_HEIGHT, FRAME_HEIGHT + (rows.length || EMPTY_ROWS) * ROW) }}
    >
      <DataGrid
        label="Answer"
        columns={columns}
        rowCount={rows.length}
        cellAt={(row, column) => ({ text: toText(rows[row]?.[column] ?? null, column) })}
        sort={null}
        onSort={nothing}
        onOpen={nothing}
        empty="The query returned no rows."
        foot={
          <span className={styles.tableFoot}>
            {`${formatCount(rows.length, 'row')}${is_cut ? ', there are more' : ''}`}
            {rows.length > 0 && (
              <>
                <Button size="sm" variant="ghost" icon={<Copy aria-hidden />} onClick={copy}>
                  Copy table
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  icon={<Download aria-hidden />}
                  onClick={() => download(toFormulaSafe)}
                >
                  Download CSV
                </Button>
                {hasFormulas && (
                  <Button
                    size="sm"
                    variant="ghost"
                    title="Without the apostrophe in front of text that a spreadsheet would run as a formula"
                    onClick={() => download((text) => text)}
                  >
                    Download raw CSV
                  </Button>
                )}
              </>
            )}
          </span>
        }
      />
    </div>
  )
}

const toFileName = (question: string): string =>
  question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_FILE_NAME)
    .replaceAll(/^-+|-+$/g, '') || 'answer'
