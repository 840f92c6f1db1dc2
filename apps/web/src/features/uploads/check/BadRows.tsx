import { downloadBadRows } from '@trellis/contract/uploads/uploads.endpoints'
import type { BadRow, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { saveFile } from '../../../api/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatCount, wholeNumber } from '../../../ui/data/amounts.ts'
import type { UploadScope } from '../upload-scope.ts'
import { useBadRows } from '../uploads.queries.ts'
import styles from './check.module.css'

interface BadRowsProps {
  scope: UploadScope
  file: UploadFile
  total: number
  first: readonly BadRow[]
}

export function BadRows({ scope, file, total, first }: BadRowsProps) {
  const pages = useBadRows(scope, file.file_id)
  const [problem, setProblem] = useState<string | null>(null)
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? first
  const download = () => {
    setProblem(null)
    const params = { ...scope.address, integration_trellis_code: scope.database, file_id: file.file_id }
    saveFile(downloadBadRows, { params }, `${file.original_filename} - bad rows.csv`).catch((error: unknown) =>
      setProblem(getErrorDetail(error)),
    )
  }
  return (
    <Card
      isFlush
      title="Rows that do not fit"
      subtitle={formatCount(total, 'row')}
      actions={
        <Button icon={<Download aria-hidden />} onClick={download}>
          Download all
        </Button>
      }
      footer={
        pages.hasNextPage && (
          <Button size="sm" isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        )
      }
    >
      {problem && <Banner tone="danger">{problem}</Banner>}
      {pages.isError && <Banner tone="warning">The whole list could not be loaded: {pages.error.message}</Banner>}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Rows that do not fit">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Line</th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((badRow, index) => (
              <tr key={index}>
                <td className={styles.number}>{wholeNumber(badRow.row)}</td>
                <td className={styles.number}>{wholeNumber(badRow.line)}</td>
                <td>{badRow.column ?? 'whole row'}</td>
                <td className={styles.value}>{badRow.value ?? <i>NULL</i>}</td>
                <td>{badRow.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
