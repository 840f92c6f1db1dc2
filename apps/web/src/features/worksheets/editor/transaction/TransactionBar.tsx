import type { SqlTransaction } from '@trellis/contract/sql/transactions.schemas'
import { useEffect, useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { useWorksheets } from '../../use-worksheets.ts'
import { describeTransaction, formatTimeLeft } from './transaction-words.ts'
import { useEndTransaction } from './transaction.queries.ts'
import styles from './transaction.module.css'

interface TransactionBarProps {
  fileId: string
  transaction: SqlTransaction | null
  isConnected: boolean
  onAutocommit: () => void
}

export default function TransactionBar({ fileId, transaction, isConnected, onAutocommit }: TransactionBarProps) {
  const { params } = useWorksheets()
  const end = useEndTransaction()
  const isOpen = transaction?.status === 'open'
  const endWith = (action: 'commit' | 'rollback') =>
    end.mutate({ params: { ...params, file_id: fileId }, body: { action } })
  return (
    <div role="group" aria-label="Transaction" className={styles.bar} data-open={isOpen}>
      <span role="status">
        {isConnected && !isOpen
          ? 'This database is connected: its statements use autocommit.'
          : describeTransaction(transaction)}
      </span>
      {transaction && isOpen && <Clock transaction={transaction} />}
      {isOpen ? (
        <span className={styles.actions}>
          <Button
            size="sm"
            variant="primary"
            isBusy={end.isPending}
            disabled={transaction.is_failed || transaction.is_running}
            onClick={() => endWith('commit')}
          >
            Commit
          </Button>
          <Button size="sm" isBusy={end.isPending} onClick={() => endWith('rollback')}>
            Roll back
          </Button>
        </span>
      ) : (
        <span className={styles.actions}>
          <Button size="sm" variant="ghost" onClick={onAutocommit}>
            Use autocommit
          </Button>
        </span>
      )}
    </div>
  )
}

function Clock({ transaction }: { transaction: SqlTransaction }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-live="off" className={styles.clock}>
      Rolled back in {formatTimeLeft(transaction, now)}
    </span>
  )
}
