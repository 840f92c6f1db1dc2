import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { Invoice } from '@trellis/contract/billing/billing.schemas'
import { ExternalLink } from 'lucide-react'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { formatDollars } from '../../../ui/data/dollars.ts'
import { useLocalTableState } from '../../../ui/data/use-table-state.ts'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { useInvoices } from '../billing.queries.ts'
import { INVOICE_LABELS, INVOICE_TONES } from './invoice-status.ts'
import { LoadProblem } from './LoadProblem.tsx'
import styles from './overview.module.css'

const COLUMNS: Column<Invoice>[] = [
  { key: 'created', title: 'Date', cell: (row) => <InvoiceDate invoice={row} /> },
  {
    key: 'amount',
    title: 'Amount',
    isNumber: true,
    width: 'clamp(98px, 11vw, 140px)',
    cell: (row) => formatDollars(row.invoice_amount),
  },
  {
    key: 'status',
    title: 'Status',
    width: 'clamp(114px, 14vw, 170px)',
    cell: (row) => <Badge tone={INVOICE_TONES[row.status]}>{INVOICE_LABELS[row.status]}</Badge>,
  },
]

export function InvoicesCard({ account }: { account: Account }) {
  const invoices = useInvoices(account.trellis_code)
  const state = useLocalTableState()
  if (invoices.isError) return <LoadProblem title="Could not load invoices." query={invoices} />
  return (
    <Card isFlush title="Invoices" subtitle="The latest 5.">
      {invoices.isPending ? (
        <Loading label="Loading invoices" className={styles.rows}>
          {['70%', '64%', '72%', '60%', '68%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </Loading>
      ) : invoices.data.length === 0 ? (
        <p className={styles.none}>No invoices yet. The first one appears here once something was paid.</p>
      ) : (
        <DataTable
          isInCard
          label="Invoices"
          rows={invoices.data}
          columns={COLUMNS}
          rowKey={(row) => row.id}
          state={state}
        />
      )}
    </Card>
  )
}

/** A draft has no page at the provider yet. */
function InvoiceDate({ invoice: { created, invoice_url } }: { invoice: Invoice }) {
  const date = <DateTime value={created} />
  return invoice_url === null ? (
    date
  ) : (
    <a href={invoice_url} target="_blank" rel="noreferrer" className={styles.link}>
      <span className="visually-hidden">Invoice of </span>
      {date}
      <span className="visually-hidden"> in a new tab</span>
      <ExternalLink aria-hidden />
    </a>
  )
}
