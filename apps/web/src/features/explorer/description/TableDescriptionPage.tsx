import type { TableDescription } from '@trellis/contract/explorer/explorer.schemas'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Markdown } from '../../../ui/data/Markdown.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextArea } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Tabs } from '../../../ui/layout/Tabs.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { tableRef, useSetTableDescription, useTableDescription } from '../explorer.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import table from '../table/table.module.css'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import { changedTexts, isChanged } from './changed-texts.ts'
import styles from './description.module.css'
import { useLeaveGuard } from '../../../ui/overlays/use-leave-guard.ts'

export type DescriptionTexts = z.infer<typeof TableDescription>

export function Component() {
  const { params } = useExplorer()
  const address = useTableAddress()
  const description = useTableDescription(params, address)
  return (
    <div className={table.page}>
      <Loaded query={description} subject="The description">
        {(texts) => <Editor key={`${address.schema} ${address.table}`} saved={texts} />}
      </Loaded>
    </div>
  )
}

/** Unsaved text survives failed saves. */
function Editor({ saved: initialTexts }: { saved: DescriptionTexts }) {
  const { params, canChange } = useExplorer()
  const address = useTableAddress()
  const save = useSetTableDescription()
  // State of its own: until the refetch, the query still holds the old text.
  const [saved, setSaved] = useState<DescriptionTexts>(initialTexts)
  const [draft, setDraft] = useState<DescriptionTexts>(saved)
  const [saveProblem, setProblem] = useState<string>()
  const canWrite = canChange('explorer:write', address.database)
  const isDirty = canWrite && isChanged(saved, draft)
  const guard = useLeaveGuard(isDirty, save.isPending)
  const setColumn = (name: string, text: string) =>
    setDraft((old) => ({
      ...old,
      columns: old.columns.map((column) => (column.name === name ? { name, description: text } : column)),
    }))
  const submit = async () => {
    setProblem(undefined)
    try {
      const body = changedTexts(saved, draft)
      const savedTexts = await save.mutateAsync({ params: { ...params, ...tableRef(address) }, body })
      setSaved(savedTexts)
      setDraft(savedTexts)
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isDirty) void submit()
      }}
    >
      {saveProblem && (
        <Banner tone="danger" title="The description could not be saved">
          {saveProblem} What you typed is still here.
        </Banner>
      )}
      <Card title="About this table">
        {canWrite ? (
          <TableText text={draft.description} onChange={(text) => setDraft((old) => ({ ...old, description: text }))} />
        ) : (
          <DescriptionMarkdown text={draft.description} />
        )}
      </Card>
      <Card
        isFlush
        title="Columns"
        subtitle="One sentence each: what it means, where it comes from, what to watch out for."
      >
        <ul className={styles.columns}>
          {draft.columns.map((column) => (
            <li key={column.name}>
              <code>{column.name}</code>
              {canWrite ? (
                <input
                  aria-label={`Description of ${column.name}`}
                  value={column.description}
                  maxLength={20_000}
                  placeholder="Not described yet"
                  onChange={(event) => setColumn(column.name, event.target.value)}
                />
              ) : (
                <span>{column.description || 'Not described yet'}</span>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {canWrite && (
        <div className={styles.actions} data-dirty={isDirty}>
          <span role="status">{isDirty ? 'Not saved yet' : ''}</span>
          <Button disabled={!isDirty || save.isPending} onClick={() => setDraft(saved)}>
            Discard changes
          </Button>
          <Button variant="primary" type="submit" isBusy={save.isPending} disabled={!isDirty}>
            Save description
          </Button>
        </div>
      )}
      {guard.isAsking && (
        <ConfirmDialog
          title="Leave without saving?"
          confirmLabel="Leave and lose changes"
          onConfirm={guard.leave}
          onClose={guard.stay}
        >
          What you wrote about {address.table} is not saved yet and would be lost.
        </ConfirmDialog>
      )}
    </form>
  )
}

function TableText({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [tab, setTab] = useState('write')
  return (
    <Tabs
      label="Description"
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: 'write',
          label: 'Write',
          content: (
            <TextArea
              label="Description"
              hint="Markdown: **bold**, *italic*, `code`, # headings, - lists, [links](https://…)"
              rows={8}
              maxLength={20_000}
              value={text}
              onChange={(event) => onChange(event.target.value)}
            />
          ),
        },
        { value: 'preview', label: 'Preview', content: <DescriptionMarkdown text={text} /> },
      ]}
    />
  )
}

function DescriptionMarkdown({ text }: { text: string }) {
  return text.trim() === '' ? (
    <p className={styles.none}>Nobody has described this table yet.</p>
  ) : (
    <Markdown text={text} />
  )
}
