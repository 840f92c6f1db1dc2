import type { TilePlace } from '@trellis/contract/dashboard/dashboard.schemas'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useCurrentWorkspace } from '../../../accounts/accounts.queries.ts'
import { useArrangeTiles, useDashboard } from '../dashboard.queries.ts'
import { SparkTile, type TileSpark } from './SparkTile.tsx'
import { arrangeTiles, moveTile } from './tile-order.ts'
import styles from './tiles.module.css'

export default function SparkTiles({ root }: { root: string }) {
  const { params } = useCurrentWorkspace()
  const { data } = useDashboard(params)
  const arrange = useArrangeTiles(params)
  if (!data || data.sparks.length === 0) return null
  return <Tiles key={root} root={root} sparks={data.sparks} order={data.tile_order} onArrange={arrange.mutate} />
}

interface TilesProps {
  root: string
  sparks: readonly TileSpark[]
  order: readonly TilePlace[]
  onArrange: (order: readonly TilePlace[]) => void
}

function Tiles({ root, sparks, order, onArrange }: TilesProps) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [told, setTold] = useState('')
  const tiles = arrangeTiles(
    sparks.map(({ spark_trellis_code }) => spark_trellis_code),
    order,
  )
  const move = (code: string, to: number) => {
    const next = moveTile(tiles, code, to)
    onArrange(next)
    const name = sparks.find((spark) => spark.spark_trellis_code === code)?.name ?? ''
    setTold(`${name} is now tile ${next.findIndex((tile) => tile.spark_trellis_code === code) + 1} of ${next.length}.`)
  }
  const list = useRef<HTMLUListElement>(null)
  const pressed = useRef<{ code: string; direction: 'back' | 'forward' } | null>(null)
  useLayoutEffect(() => {
    if (pressed.current) focusMoveButton(list.current, pressed.current)
    pressed.current = null
  }, [order])
  const drop = useEffectEvent((event: DragEvent) => {
    if (dragged === null) return
    event.preventDefault()
    if (event.type !== 'drop') return
    const over = (event.target as Element).closest<HTMLElement>('li[data-at]')
    if (over) move(dragged, Number(over.dataset['at']))
    setDragged(null)
  })
  useEffect(() => {
    const element = list.current
    const onDrag = (event: DragEvent) => drop(event)
    element?.addEventListener('dragover', onDrag)
    element?.addEventListener('drop', onDrag)
    return () => {
      element?.removeEventListener('dragover', onDrag)
      element?.removeEventListener('drop', onDrag)
    }
  }, [])
  return (
    <section aria-label="Sparks on the dashboard">
      <ul ref={list} className={styles.tiles}>
        {tiles.map(({ spark_trellis_code: code, is_wide }, index) => {
          const spark = sparks.find((candidate) => candidate.spark_trellis_code === code)
          if (!spark) return null
          return (
            <li key={code} data-code={code} data-at={index} data-wide={is_wide} data-dragged={dragged === code}>
              <SparkTile
                spark={spark}
                to={`${root}/sparks/${encodeURIComponent(code)}`}
                isWide={is_wide}
                tilePosition={{ index, of: tiles.length }}
                onMove={(to) => {
                  pressed.current = { code, direction: to < index ? 'back' : 'forward' }
                  move(code, to)
                }}
                onResize={() => onArrange(tiles.with(index, { spark_trellis_code: code, is_wide: !is_wide }))}
                onDrag={(isDragged) => setDragged(isDragged ? code : null)}
              />
            </li>
          )
        })}
      </ul>
      <p role="status" className="visually-hidden">
        {told}
      </p>
    </section>
  )
}

/** Moving a tile loses focus, and at an end its button is disabled. */
function focusMoveButton(
  list: HTMLUListElement | null,
  { code, direction }: { code: string; direction: 'back' | 'forward' },
): void {
  const tile = [...(list?.children ?? [])].find((child) => (child as HTMLElement).dataset['code'] === code)
  const buttons = [...(tile?.querySelectorAll<HTMLButtonElement>('button[data-move]:enabled') ?? [])]
  const same = buttons.find((button) => button.dataset['move'] === direction)
  const button = same ?? buttons[0]
  button?.focus()
}
