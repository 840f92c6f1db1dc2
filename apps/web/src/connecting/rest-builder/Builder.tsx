import type { RestManifest } from '@trellis/contract/integrations/rest-manifest'
import { Plus, Redo2, Undo2 } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import { Tabs } from '../../ui/layout/Tabs.tsx'
import { Modal } from '../../ui/overlays/Dialog.tsx'
import styles from './builder.module.css'
import { JsonView } from './JsonView.tsx'
import { emptyManifest, createStream, type Fault } from './manifest-draft.ts'
import type { BuilderContext } from './builder-context.ts'
import { AddressPart, AuthPart, ErrorsPart, InputsPart } from './SourceParts.tsx'
import { StreamPart } from './StreamPart.tsx'
import { TrialPanel } from './TrialPanel.tsx'
import { useDraft, type Draft } from './use-draft.ts'

type OutlineSelection = number | 'source' | 'errors'

export default function Builder({
  value,
  context,
  onChange,
  onClose,
}: {
  value: RestManifest | null
  context: BuilderContext
  onChange: (manifest: RestManifest) => void
  onClose: () => void
}) {
  const [start] = useState(() => value ?? emptyManifest())
  const draft = useDraft(start, onChange)
  const [selected, setSelected] = useState<OutlineSelection>('source')
  const [view, setView] = useState('form')
  const stream = typeof selected === 'number' ? Math.min(selected, draft.manifest.streams.length - 1) : 0
  const onKeyDown = (event: KeyboardEvent) => {
    // Inside a field Ctrl+Z belongs to the browser.
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    if (isField || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    if (event.shiftKey) draft.redo()
    else draft.undo()
  }
  const finish = () => {
    if (value === null) onChange(draft.manifest)
    onClose()
  }
  // A portal, because Enter would submit the surrounding form.
  return createPortal(
    <Modal label="Build a REST source" className={styles.builder} onClose={finish}>
      <div className={styles.frame} onKeyDown={onKeyDown}>
        <header className={styles.head}>
          <h2>Build a REST source</h2>
          <span className={styles.headNote} role="status">
            {draft.faults.length > 0 ? `${formatCount(draft.faults.length, 'problem')} to fix` : 'Complete'}
          </span>
          <IconButton label="Undo" icon={<Undo2 aria-hidden />} disabled={!draft.canUndo} onClick={draft.undo} />
          <IconButton label="Redo" icon={<Redo2 aria-hidden />} disabled={!draft.canRedo} onClick={draft.redo} />
          <Button variant="primary" onClick={finish}>
            Done
          </Button>
        </header>
        <div className={styles.body}>
          <div className={styles.edit}>
            <Tabs
              label="How to edit"
              value={view}
              onChange={setView}
              tabs={[
                {
                  value: 'form',
                  label: 'Form',
                  content: (
                    <>
                      <Outline draft={draft} selected={selected} onChoose={setSelected} />
                      <Parts draft={draft} selected={selected} />
                      <Elsewhere draft={draft} selected={selected} onChoose={setSelected} />
                    </>
                  ),
                },
                { value: 'json', label: 'JSON', content: <JsonView draft={draft} /> },
              ]}
            />
          </div>
          <TrialPanel draft={draft} stream={stream} context={context} />
        </div>
      </div>
    </Modal>,
    document.body,
  )
}

interface OutlineProps {
  draft: Draft
  selected: OutlineSelection
  onChoose: (selected: OutlineSelection) => void
}

function Outline({ draft, selected, onChoose }: OutlineProps) {
  const { streams } = draft.manifest
  const add = () => {
    const usedNames = new Set(streams.map(({ name }) => name))
    let name = 'records'
    for (let count = 2; usedNames.has(name); count += 1) name = `records_${count}`
    draft.set('streams', [...streams, createStream(name)])
    onChoose(streams.length)
  }
  const item = (to: OutlineSelection, label: string) => (
    <button key={to} type="button" aria-pressed={to === selected} onClick={() => onChoose(to)}>
      {label}
    </button>
  )
  return (
    <nav className={styles.outline} aria-label="Parts of the source">
      {item('source', 'Source')}
      {streams.map((stream, index) => item(index, stream.name || `Stream ${index + 1}`))}
      {item('errors', 'Errors')}
      <IconButton label="Add stream" icon={<Plus aria-hidden />} onClick={add} />
      {typeof selected === 'number' && streams.length > 1 && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            draft.set(`streams.${selected}`, undefined)
            onChoose(Math.max(0, selected - 1))
          }}
        >
          Remove this stream
        </Button>
      )}
    </nav>
  )
}

function Parts({ draft, selected }: { draft: Draft; selected: OutlineSelection }) {
  if (selected === 'errors') return <ErrorsPart draft={draft} />
  if (selected !== 'source') return <StreamPart key={selected} draft={draft} index={selected} />
  return (
    <>
      <AddressPart draft={draft} />
      <AuthPart draft={draft} />
      <InputsPart draft={draft} />
    </>
  )
}

const findFaultPlace = ({ path }: Fault): OutlineSelection => {
  const stream = /^streams\.(\d+)/.exec(path)?.[1]
  if (stream !== undefined) return Number(stream)
  return path.startsWith('errors') ? 'errors' : 'source'
}

/** Errors in other parts of the source. */
function Elsewhere({ draft, selected, onChoose }: OutlineProps) {
  const hidden = draft.faults.filter((fault) => findFaultPlace(fault) !== selected && draft.faultAt(fault.path))
  if (hidden.length === 0) return null
  return (
    <ul className={styles.elsewhere} aria-label="To fix elsewhere">
      {hidden.map((fault) => (
        <li key={`${fault.path} ${fault.message}`}>
          <button type="button" onClick={() => onChoose(findFaultPlace(fault))}>
            <code>{fault.path}</code> {fault.message}
          </button>
        </li>
      ))}
    </ul>
  )
}
