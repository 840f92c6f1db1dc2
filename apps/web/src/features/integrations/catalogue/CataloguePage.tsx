import { PLATFORM_TAGS, type Platform } from '@trellis/contract/integrations/integrations.schemas'
import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../ui/actions/Button.tsx'
import { Kbd } from '../../../ui/data/Kbd.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import { describeTag } from '../integration-words.ts'
import styles from '../integrations.module.css'
import { usePlatforms } from '../../../connecting/connecting.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import { useIntegrationsPlace, type IntegrationPaths } from '../use-integrations.ts'
import { WriteGate } from '../WriteGate.tsx'
import { foundPlatforms, tagCounts } from './catalogue-filter.ts'

export function Component() {
  const { address, paths } = useIntegrationsPlace()
  const platforms = usePlatforms(address)
  return (
    <WriteGate>
      <Page>
        <PageHeader title="What do you want to connect?" />
        <Loaded query={platforms} subject="The catalogue" skeletonHeights={[32, 32, 96, 96, 96]}>
          {(all) => <Catalogue all={all} paths={paths} />}
        </Loaded>
      </Page>
    </WriteGate>
  )
}

function Catalogue({ all, paths }: { all: readonly Platform[]; paths: IntegrationPaths }) {
  const containerRef = useRef<HTMLDivElement>(null)
  const { params, change, put } = useAddress()
  const [search, setSearch] = useUrlText('q')
  const tag = params.get('tag')
  const matchingPlatforms = foundPlatforms(all, search, tag)
  const choose = (next: string | null) => put({ tag: next })
  const onKeyDown = (event: KeyboardEvent) => {
    const cards = [...(containerRef.current?.querySelectorAll<HTMLElement>('a[data-card]') ?? [])]
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === 'Escape' && isTyping) return setSearch('')
    if (event.key === 'Enter' && isTyping) return cards[0]?.click()
    if (event.key === '/' && !isTyping) containerRef.current?.querySelector<HTMLInputElement>('input')?.focus()
    else if (event.key === 'ArrowDown' && isTyping) cards[0]?.focus()
    else if (!moveAmong(cards, event.key, isTyping)) return undefined
    event.preventDefault()
    return undefined
  }
  return (
    <div ref={containerRef} className={styles.stack} onKeyDown={onKeyDown}>
      <SearchField
        label="Search the catalogue"
        value={search}
        autoFocus
        onChange={(event) => setSearch(event.target.value)}
        end={<Kbd keys="/" />}
      />
      <div className={styles.tags} role="group" aria-label="Kind">
        <Tag isChosen={tag === null} onChoose={() => choose(null)}>
          All
        </Tag>
        {tagCounts(all, PLATFORM_TAGS).map((item) => (
          <Tag key={item.tag} isChosen={tag === item.tag} onChoose={() => choose(tag === item.tag ? null : item.tag)}>
            {describeTag(item.tag)} <small>{item.count}</small>
          </Tag>
        ))}
      </div>
      <ul className={styles.cards} aria-label="Platforms">
        {matchingPlatforms.map((platform) => (
          <li key={platform.platform_trellis_code}>
            <Link data-card className={styles.card} to={paths.setup(platform.platform_trellis_code)}>
              <PlatformIcon icon={platform.icon} size="lg" />
              <span className={styles.cardText}>
                <strong>{platform.name}</strong>
                <span>{platform.summary}</span>
                {platform.has_simulator && <Badge tone="info">Can be tried with sample data</Badge>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {matchingPlatforms.length === 0 && (
        <p className={styles.nothing} role="status">
          Nothing found. Any web API can be connected with{' '}
          <Link to={paths.setup('rest')}>a REST source built by yourself</Link>.{' '}
          <Button size="sm" variant="ghost" onClick={() => change(() => new URLSearchParams())}>
            Show all
          </Button>
        </p>
      )}
    </div>
  )
}

function Tag({ isChosen, onChoose, children }: { isChosen: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.tag} aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  )
}

/** Arrow keys move through the cards as laid out. */
function moveAmong(cards: readonly HTMLElement[], key: string, isTyping: boolean): boolean {
  const index = cards.indexOf(document.activeElement as HTMLElement)
  if (isTyping || index === -1) return false
  const top = cards[0]?.offsetTop
  const across = Math.max(1, cards.filter((card) => card.offsetTop === top).length)
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across, j: 1, k: -1 }[key]
  if (step === undefined) return false
  cards[Math.min(cards.length - 1, Math.max(0, index + step))]?.focus()
  return true
}
