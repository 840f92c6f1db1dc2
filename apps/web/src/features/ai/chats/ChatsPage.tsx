import type { ConversationLine } from '@trellis/contract/ai/ai.schemas'
import { MessagesSquare } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from '../ai.module.css'
import { useAiProjects } from '../ai-projects.queries.ts'
import { useConversations } from '../conversations.queries.ts'
import { Pager } from '../Pager.tsx'
import { ProjectSelect } from '../ProjectSelect.tsx'
import { useAi } from '../use-ai.ts'
import { DeleteChatDialog, RenameChatDialog } from './ChatDialogs.tsx'

export function Component() {
  const { params, paths } = useAi()
  const address = useAddress()
  const [searchText, setSearchText] = useUrlText('q')
  const search = useSettled(searchText.trim())
  const project = address.params.get('project') ?? ''
  const page = Number(address.params.get('page') ?? 1) || 1
  const { data: projects } = useAiProjects(params)
  const chats = useConversations(params, { search, project, page })
  const isFiltered = search !== '' || project !== ''
  return (
    <Loaded query={chats} subject="The chats">
      {({ items, pages, total }) =>
        total === 0 && !isFiltered && searchText === '' ? (
          <EmptyState
            icon={<MessagesSquare aria-hidden />}
            title="No chats yet"
            subtitle="A chat keeps your questions with their answers. Only you see your chats."
            action={
              <ButtonLink variant="primary" to={paths.home}>
                Ask a question
              </ButtonLink>
            }
          />
        ) : (
          <>
            <div className={styles.bar}>
              <SearchField
                label="Search chats"
                value={searchText}
                onChange={(event) => {
                  setSearchText(event.target.value)
                  address.put({ page: null })
                }}
              />
              {projects && projects.items.length > 1 && (
                <ProjectSelect
                  projects={projects.items}
                  value={project}
                  placeholder="All projects"
                  onChange={(code) => address.put({ project: code, page: null })}
                />
              )}
            </div>
            {items.length === 0 ? (
              <p className={styles.none}>No chat matches. Search by a word of its name or its questions.</p>
            ) : (
              <ChatList chats={items} />
            )}
            <Pager page={page} pages={pages} onPage={(next) => address.put({ page: String(next) })} />
          </>
        )
      }
    </Loaded>
  )
}

function ChatList({ chats }: { chats: readonly ConversationLine[] }) {
  const list = useRef<HTMLUListElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
    const links = [...(list.current?.querySelectorAll<HTMLElement>('li > a') ?? [])]
    const index = links.indexOf(document.activeElement as HTMLElement)
    if (!step || index === -1) return
    event.preventDefault()
    links[Math.min(links.length - 1, Math.max(0, index + step))]?.focus()
  }
  return (
    <Card isFlush>
      <div role="presentation" onKeyDown={onKeyDown}>
        <ul ref={list} className={styles.list} aria-label="Chats">
          {chats.map((chat) => (
            <ChatLine key={chat.conversation_trellis_code} chat={chat} />
          ))}
        </ul>
      </div>
    </Card>
  )
}

function ChatLine({ chat }: { chat: ConversationLine }) {
  const { paths } = useAi()
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const { conversation_trellis_code, name, message_count, updated_at } = chat
  const close = () => setDialog(null)
  return (
    <li className={styles.line}>
      <Link to={paths.chat(conversation_trellis_code)}>{name}</Link>
      <span className={styles.facts}>
        {formatCount(message_count, 'message')} · <DateTime value={updated_at} format="recent" />
      </span>
      <RowActions
        label={`Actions for ${name}`}
        groups={[
          [{ label: 'Rename', onSelect: () => setDialog('rename') }],
          [{ label: 'Delete', isDanger: true, onSelect: () => setDialog('delete') }],
        ]}
      />
      {dialog === 'rename' && <RenameChatDialog chat={chat} onClose={close} />}
      {dialog === 'delete' && <DeleteChatDialog chat={chat} onClose={close} />}
    </li>
  )
}
