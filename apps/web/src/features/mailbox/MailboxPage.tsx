import type { MailboxSummary } from '@trellis/contract/mailbox/mailbox.schemas'
import { Inbox, MailOpen } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { useAddress } from '../../ui/data/use-address.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import styles from './mailbox.module.css'
import { useMailbox } from './mailbox.queries.ts'
import { Message } from './Message.tsx'

const TYPING_PAUSE_MS = 250

export function Component() {
  const { params, put } = useAddress()
  const token = params.get('token') ?? undefined
  const search = params.get('q') ?? ''
  const selected = Number(params.get('message')) || undefined
  const mailbox = useMailbox({ token, search })
  const mails = mailbox.data?.pages.flat() ?? []
  const pathTo = (id: number | undefined) => {
    const next = new URLSearchParams(params)
    if (id === undefined) next.delete('message')
    else next.set('message', String(id))
    return `?${next}`
  }
  const setSearch = (text: string) => put({ q: text })

  if (mailbox.isError && !mailbox.data) return <Refused error={mailbox.error} onRetry={() => void mailbox.refetch()} />
  return (
    <div className={styles.mailbox} data-open={selected !== undefined}>
      <section className={styles.list} aria-label="Messages">
        <h1 className="visually-hidden">Mailbox</h1>
        <MailSearch search={search} onSearch={setSearch} />
        {mailbox.isPending ? (
          <ListSkeleton />
        ) : (
          <MailList mails={mails} selected={selected} pathTo={pathTo} isSearching={search !== ''} />
        )}
        {mailbox.hasNextPage && mails.length > 0 && (
          <div className={styles.more}>
            <Button size="sm" isBusy={mailbox.isFetchingNextPage} onClick={() => void mailbox.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </section>
      <section className={styles.reader} aria-label="Message">
        {selected === undefined ? (
          <p className={styles.nothing}>
            <MailOpen aria-hidden />
            {mails.length > 0 ? 'Choose a message to read it.' : 'Messages are read here.'}
          </p>
        ) : (
          <Message key={selected} id={selected} token={token} backTo={pathTo(undefined)} />
        )}
      </section>
    </div>
  )
}

function MailSearch({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(search)
  const latest = useRef(onSearch)
  latest.current = onSearch
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text.trim()), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={styles.search}>
      <SearchField label="Search messages" value={text} onChange={(event) => setText(event.target.value)} />
    </div>
  )
}

interface MailListProps {
  mails: readonly MailboxSummary[]
  selected: number | undefined
  pathTo: (id: number) => string
  isSearching: boolean
}

function MailList({ mails, selected, pathTo, isSearching }: MailListProps) {
  const list = useRef<HTMLDivElement>(null)
  if (mails.length === 0) {
    return isSearching ? (
      <p className={styles.none}>No message matches these words.</p>
    ) : (
      <div className={styles.emptyBox}>
        <EmptyState
          icon={<Inbox />}
          title="No messages yet"
          subtitle="No mail server is set up, so what Trellis sends lands here. New messages appear by themselves."
        />
      </div>
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]?.focus()
  }
  return (
    <div ref={list} onKeyDown={onKeyDown}>
      <ul className={styles.mails}>
        {mails.map((mail) => (
          <li key={mail.id}>
            <Link to={pathTo(mail.id)} className={styles.mail} aria-current={mail.id === selected ? 'true' : undefined}>
              <span className={styles.to}>{mail.to}</span>
              <span className={styles.when}>
                <DateTime value={mail.received_at} format="recent" />
              </span>
              <span className={styles.subject}>{mail.subject}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ListSkeleton() {
  return (
    <Loading label="Loading messages" className={styles.ghosts}>
      {['70%', '55%', '64%'].map((width) => (
        <div key={width} className={styles.ghost}>
          <Skeleton width={width} />
          <Skeleton width="85%" />
        </div>
      ))}
    </Loading>
  )
}

function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isClosed = error instanceof ApiError && error.status === 404
  return (
    <div className={styles.refused}>
      {isClosed ? (
        <ErrorPanel
          title="The mailbox is not open here"
          detail="It works only while no mail server is set up, on the machine Trellis runs on or with the token that was printed at the start."
        />
      ) : (
        <ErrorPanel
          title="The mailbox could not be loaded"
          detail={error.message}
          reference={error instanceof ApiError ? error.requestId : undefined}
          onRetry={onRetry}
        />
      )}
    </div>
  )
}
