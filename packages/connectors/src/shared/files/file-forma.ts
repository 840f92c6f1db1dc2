import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { FILE_FORMATS } from '@trellis/contract/explorer/file-formats'
import type { FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import type { FileDialect } from '@trellis/table-files/read/dialect'

export interface FileReading {
  readonly given: Partial<FileDialect>
  readonly isOnlyChanged: boolean
}

const DELIMITERS: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

export const buildFileElements = (order: number): FormaElement[] => [
  {
    reference: 'format',
    order,
    type: 'select',
    data_type: 'str',
    label: 'Format',
    default: 'auto',
    properties: {
      options: [
        { value: 'auto', label: 'Detect from the file' },
        { value: 'csv', label: 'CSV' },
        { value: 'jsonl', label: 'JSON lines' },
        { value: 'xlsx', label: 'Excel (XLSX)' },
        { value: 'parquet', label: 'Parquet' },
      ],
    },
  },
  {
    reference: 'delimiter',
    order: order + 1,
    type: 'select',
    data_type: 'str',
    is_optional: true,
    label: 'Between two values stands',
    shown_when: { section: 'query', element: 'format', values: ['csv'] },
    properties: {
      placeholder: 'Detect from the file',
      options: [
        { value: 'comma', label: 'a comma' },
        { value: 'semicolon', label: 'a semicolon' },
        { value: 'tab', label: 'a tab' },
        { value: 'pipe', label: 'a vertical bar' },
      ],
    },
  },
  {
    reference: 'sheet',
    order: order + 2,
    type: 'text',
    data_type: 'str',
    is_optional: true,
    label: 'Sheet',
    help: 'The first one when empty.',
    shown_when: { section: 'query', element: 'format', values: ['xlsx'] },
    properties: { max_length: 100 },
  },
  {
    reference: 'which',
    order: order + 3,
    type: 'select',
    data_type: 'str',
    label: 'Files to read',
    default: 'all',
    help: 'With Replace choose all: files that are skipped would be missing from the table.',
    properties: {
      options: [
        { value: 'all', label: 'All, every time' },
        { value: 'changed', label: 'Only those that are new or changed since the last run' },
      ],
    },
  },
]

export function readFileElements(values: FormaValues): FileReading {
  const { format = 'auto', delimiter, sheet, which = 'all' } = (values['query'] ?? {}) as Record<string, unknown>
  const known = FILE_FORMATS.find((fileFormat) => fileFormat === format)
  if (!known && format !== 'auto') {
    throw new ConnectorError('configuration', 'This format is not known.', { field: 'query.format' })
  }
  const sign = typeof delimiter === 'string' ? DELIMITERS[delimiter] : undefined
  return {
    given: {
      ...(known && { format: known }),
      ...(known === 'csv' && sign && { delimiter: sign }),
      ...(known === 'xlsx' && typeof sheet === 'string' && sheet !== '' && { sheet }),
    },
    isOnlyChanged: which === 'changed',
  }
}
