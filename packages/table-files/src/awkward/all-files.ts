import { ANALYST_FILES } from './analyst-files.ts'
import { DATE_FILES } from './date-files.ts'
import { ENCODED_FILES } from './encoded-files.ts'
import { EVERYDAY_FILES } from './everyday-files.ts'
import { EXPORT_FILES } from './export-files.ts'
import { JSON_FILES } from './json-files.ts'
import type { AwkwardFile } from './load-cells.ts'
import { LOCALE_FILES } from './locale-files.ts'
import { NUMBER_FILES } from './number-files.ts'
import { PACKED_FILES } from './packed-files.ts'
import { PARQUET_FILES } from './parquet-files.ts'
import { PROGRAM_FILES } from './program-files.ts'
import { REFUSED_FILES } from './refused-files.ts'
import { REPORT_FILES } from './report-files.ts'
import { SHEET_FILES } from './sheet-files.ts'
import { TEXT_FILES } from './text-files.ts'
import { WORKBOOK_FILES } from './workbook-files.ts'

export const AWKWARD_FILES: readonly AwkwardFile[] = [
  ...NUMBER_FILES,
  ...DATE_FILES,
  ...TEXT_FILES,
  ...REFUSED_FILES,
  ...JSON_FILES,
  ...WORKBOOK_FILES,
  ...PARQUET_FILES,
  ...REPORT_FILES,
  ...EVERYDAY_FILES,
  ...ENCODED_FILES,
  ...EXPORT_FILES,
  ...ANALYST_FILES,
  ...LOCALE_FILES,
  ...PROGRAM_FILES,
  ...SHEET_FILES,
  ...PACKED_FILES,
]
