import type { Integration, Platform } from '@trellis/contract/integrations/integrations.schemas'
import { FileUp, Plus } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useIntegrations } from '../../../connecting/connecting.queries.ts'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { useBlockPlatforms } from '../setup/setup.queries.ts'
import type { StartFrom } from './start-from.ts'
import styles from './start.module.css'

interface StartProps {
  onStart: (from: StartFrom) => void
  onAdd: () => void
}

const STATES: Record<Integration['state'], string> = {
  ACTIVE: '',
  SETUP: 'Not set up yet',
  VALIDATING: 'Being tested',
  ERROR: 'Does not work at the moment',
  ARCHIVED: '',
}

export function StartPage({ onStart, onAdd }: StartProps) {
  const { address, paths } = useDataflowsScope()
  const platforms = useBlockPlatforms('source')
  const connections = useIntegrations(address)
  const containerRef = useRef<HTMLDivElement>(null)
  const knownConnections = (connections.data ?? []).filter(
    ({ kinds, is_managed, state }) => kinds.includes('Extraction') && !is_managed && state !== 'ARCHIVED',
  )
  return (
    <div ref={containerRef} className={styles.page} onKeyDown={(event) => moveAmongCards(containerRef.current, event)}>
      <header className={styles.lead}>
        <h2>Where does the data come from?</h2>
        <p>Choose a source, then its tables and when they are read. It takes about two minutes.</p>
        <ol className={styles.steps} aria-label="Steps">
          {['Source', 'Tables and schedule', 'Running'].map((step, index) => (
            <li key={step} aria-current={index === 0 ? 'step' : undefined}>
              {step}
            </li>
          ))}
        </ol>
      </header>
      {knownConnections.length > 0 && (
        <section aria-label="Connected">
          <h3>Connected</h3>
          <ul className={styles.cards}>
            {knownConnections.map((item) => (
              <SourceCard
                key={item.integration_trellis_code}
                icon={item.icon}
                name={item.name}
                note={STATES[item.state] || item.platform_name}
                onChoose={() => onStart({ kind: 'connection', integration: item.integration_trellis_code })}
              />
            ))}
          </ul>
        </section>
      )}
      <Loaded query={platforms} subject="The list of sources" skeletonHeights={[72, 72, 72]}>
        {(all) => <Platforms all={all} onStart={onStart} />}
      </Loaded>
      <footer className={styles.other}>
        <Button variant="ghost" size="sm" icon={<Plus aria-hidden />} onClick={onAdd}>
          Add an empty block
        </Button>
        <ButtonLink variant="ghost" size="sm" icon={<FileUp aria-hidden />} to={paths.explorer}>
          Upload a file once
        </ButtonLink>
        <span>Blocks copied elsewhere can be pasted here.</span>
      </footer>
    </div>
  )
}

const MIN_TO_SEARCH = 8

function Platforms({ all, onStart }: { all: readonly Platform[]; onStart: StartProps['onStart'] }) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const offered = all.filter(({ can_be_set_up }) => can_be_set_up)
  const found = offered.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(words))
  return (
    <section aria-label="Connect a new source">
      <div className={styles.sectionHead}>
        <h3>Connect a new source</h3>
        {offered.length >= MIN_TO_SEARCH && (
          <SearchField label="Search sources" value={search} onChange={(event) => setSearch(event.target.value)} />
        )}
      </div>
      <ul className={styles.cards}>
        {found.map((item) => (
          <SourceCard
            key={item.platform_trellis_code}
            icon={item.icon}
            name={item.name}
            note={item.summary}
            onChoose={() => onStart({ kind: 'platform', platform: item.platform_trellis_code })}
          />
        ))}
      </ul>
      {found.length === 0 && <p role="status">Nothing found for “{search}”.</p>}
    </section>
  )
}

interface CardProps {
  icon: string
  name: string
  note: ReactNode
  onChoose: () => void
}

function SourceCard({ icon, name, note, onChoose }: CardProps) {
  return (
    <li>
      <button type="button" className={styles.card} data-card onClick={onChoose}>
        <PlatformIcon icon={icon} size="lg" />
        <span className={styles.cardText}>
          <strong>{name}</strong>
          <small>{note}</small>
        </span>
      </button>
    </li>
  )
}

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function moveAmongCards(box: HTMLElement | null, event: KeyboardEvent): void {
  const step = STEPS[event.key]
  const cards = [...(box?.querySelectorAll<HTMLElement>('[data-card]') ?? [])]
  const index = cards.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || index === -1) return
  event.preventDefault()
  cards[Math.min(cards.length - 1, Math.max(0, index + step))]?.focus()
}
