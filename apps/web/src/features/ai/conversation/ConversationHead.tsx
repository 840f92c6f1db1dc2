import type { ConversationLine } from '@trellis/contract/ai/ai.schemas'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { useAi } from '../use-ai.ts'
import styles from './conversation.module.css'

const dialogs = () => import('../chats/ChatDialogs.tsx')
const RenameChatDialog = lazy(async () => ({ default: (await dialogs()).RenameChatDialog }))
const DeleteChatDialog = lazy(async () => ({ default: (await dialogs()).DeleteChatDialog }))

interface ConversationHeadProps {
  chat: ConversationLine
  projectName: string | undefined
}

export function ConversationHead({ chat, projectName }: ConversationHeadProps) {
  const { paths } = useAi()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <header className={styles.head}>
      <h1>{chat.name}</h1>
      {projectName !== undefined && <Link to={paths.project(chat.project_trellis_code)}>{projectName}</Link>}
      <RowActions
        label="Actions for this chat"
        groups={[
          [{ label: 'Rename', onSelect: () => setDialog('rename') }],
          [{ label: 'Delete', isDanger: true, onSelect: () => setDialog('delete') }],
        ]}
      />
      <Suspense>
        {dialog === 'rename' && <RenameChatDialog chat={chat} onClose={close} />}
        {dialog === 'delete' && (
          <DeleteChatDialog
            chat={chat}
            onClose={close}
            onDeleted={() => void navigate(paths.chats, { replace: true })}
          />
        )}
      </Suspense>
    </header>
  )
}
