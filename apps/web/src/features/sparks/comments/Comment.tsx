import type { CommentPerson, SparkComment } from '@trellis/contract/sparks/spark-comments.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { useSparks } from '../use-sparks.ts'
import { CommentForm } from './CommentForm.tsx'
import styles from './comments.module.css'
import { useDeleteComment, useResolveComment, useUpdateComment } from './comments.queries.ts'
import { type Mentionable, splitMentions } from './mention-text.ts'

interface CommentProps {
  sparkCode: string
  comment: SparkComment
  people: readonly Mentionable[]
  arePeopleLoading: boolean
}

export function Comment({ sparkCode, comment, people, arePeopleLoading }: CommentProps) {
  const { params } = useSparks()
  const [mode, setMode] = useState<'read' | 'edit' | 'delete'>('read')
  const update = useUpdateComment()
  const code = comment.spark_comment_trellis_code
  const commentParams = { ...params, spark_trellis_code: sparkCode, spark_comment_trellis_code: code }
  const author = comment.author?.name ?? 'Deleted profile'
  return (
    <li className={styles.comment} aria-label={`Comment by ${author}`} data-resolved={comment.resolved_at !== null}>
      <div className={styles.head}>
        <strong>{author}</strong>
        {comment.author?.is_member === false && <Badge>Removed member</Badge>}
        {comment.resolved_at !== null && <Badge tone="success">Resolved</Badge>}
      </div>
      <p className={styles.facts}>
        <DateTime value={comment.created_at} format="recent" />
        {comment.edited_at !== null && ' · edited'}
        {comment.resolved_by !== null && ` · resolved by ${comment.resolved_by}`}
      </p>
      {mode === 'edit' ? (
        <CommentForm
          label="Change comment"
          submitLabel="Save"
          first={comment.text}
          people={addMentioned(people, comment.mentions)}
          arePeopleLoading={arePeopleLoading}
          isBusy={update.isPending}
          onCancel={() => setMode('read')}
          onSend={(body) => update.mutate({ params: commentParams, body }, { onSuccess: () => setMode('read') })}
        />
      ) : (
        <CommentText comment={comment} />
      )}
      {mode === 'read' && (
        <CommentActions
          comment={comment}
          commentParams={commentParams}
          onEdit={() => setMode('edit')}
          onDelete={() => setMode('delete')}
        />
      )}
      {mode === 'delete' && <ConfirmDelete commentParams={commentParams} onKeep={() => setMode('read')} />}
    </li>
  )
}

/** Keeps mentions of people who have left. */
function addMentioned(people: readonly Mentionable[], mentions: readonly CommentPerson[]): readonly Mentionable[] {
  const personCodes = new Set(people.map(({ code }) => code))
  const left = mentions.filter((mention) => !personCodes.has(mention.trellis_user_code))
  return [...people, ...left.map(({ trellis_user_code: code, name }) => ({ code, name, email: 'Removed member' }))]
}

function CommentText({ comment: { text, mentions } }: { comment: SparkComment }) {
  const names = mentions.map(({ name }) => name)
  return (
    <p className={styles.text}>
      {splitMentions(text, names).map((part, index) => {
        const person = mentions.find(({ name }) => name === part.name)
        if (!person) return part.text
        return (
          <span key={index} className={styles.mention} data-removed={!person.is_member}>
            {part.text}
            {!person.is_member && ' (removed member)'}
          </span>
        )
      })}
    </p>
  )
}

interface CommentAddress {
  account_trellis_code: string
  workspace_address: string
  spark_trellis_code: string
  spark_comment_trellis_code: string
}

interface CommentActionsProps {
  comment: SparkComment
  commentParams: CommentAddress
  onEdit: () => void
  onDelete: () => void
}

function CommentActions({ comment, commentParams, onEdit, onDelete }: CommentActionsProps) {
  const resolve = useResolveComment()
  const isResolved = comment.resolved_at !== null
  return (
    <div className={styles.actions}>
      {comment.can_resolve && (
        <Button
          size="sm"
          variant="ghost"
          isBusy={resolve.isPending}
          onClick={() => resolve.mutate({ params: commentParams, body: { is_resolved: !isResolved } })}
        >
          {isResolved ? 'Reopen' : 'Resolve'}
        </Button>
      )}
      {comment.is_mine && (
        <Button size="sm" variant="ghost" onClick={onEdit}>
          Edit
        </Button>
      )}
      {comment.can_delete && (
        <Button size="sm" variant="ghost" onClick={onDelete}>
          Delete
        </Button>
      )}
    </div>
  )
}

const focusButton = (button: HTMLButtonElement | null) => button?.focus()

function ConfirmDelete({ commentParams, onKeep }: { commentParams: CommentAddress; onKeep: () => void }) {
  const remove = useDeleteComment()
  return (
    <div role="group" aria-label="Delete this comment?" className={styles.confirm}>
      <p>The comment is deleted for everybody, with the notifications about it.</p>
      <div className={styles.actions}>
        <Button size="sm" ref={focusButton} onClick={onKeep}>
          Keep
        </Button>
        <Button
          size="sm"
          variant="danger"
          isBusy={remove.isPending}
          onClick={() => remove.mutate({ params: commentParams }, { onError: onKeep })}
        >
          Delete comment
        </Button>
      </div>
    </div>
  )
}
