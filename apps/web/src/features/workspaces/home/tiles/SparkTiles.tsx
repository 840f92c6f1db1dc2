import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCurrentWorkspace } from '../../../accounts/accounts.queries.ts'
import { useSparkList } from '../../../sparks/sparks.queries.ts'
import { SparkTile } from './SparkTile.tsx'
import { arrangeTiles, moveTile, readTiles, type TileOrder, writeTiles } from './tile-order.ts'
import styles from './tiles.module.css'

/** Sparks that were put on the dashboard, in the order and size this browser keeps for them. */
export default function SparkTiles({ root }: { root: string }) {
  const { workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const { data } = useSparkList({ account_trellis_code, workspace_address })
  const shown = (data?.sparks ?? []).filter(({ is_on_dashboard }) => is_on_dashboard)
  if (shown.length === 0) return null
  return <Tiles key={root} root={root} sparks={shown} />
}

function Tiles({ root, sparks }: { root: string; sparks: readonly Spark[] }) {
  const [order, setOrder] = useState<TileOrder>(() => readTiles(root))
  const [dragged, setDragged] = useState<string | null>(null)
  const [told, setTold] = useState('')
  const tiles = arrangeTiles(
    sparks.map(({ spark_trellis_code }) => spark_trellis_code),
    order,
  )
  const keep = (next: TileOrder) => {
    setOrder(next)
    writeTiles(root, next)
  }
  const move = (code: string, to: number) => {
    const next = moveTile(tiles, code, to)
    keep(next)
    const name = sparks.find((spark) => spark.spark_trellis_code === code)?.name ?? ''
    setTold(`${name} is now tile ${next.findIndex((tile) => tile.code === code) + 1} of ${next.length}.`)
  }
  const list = useRef<HTMLUListElement>(null)
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
        {tiles.map(({ code, isWide }, at) => {
          const spark = sparks.find((one) => one.spark_trellis_code === code)
          if (!spark) return null
          return (
            <li key={code} data-at={at} data-wide={isWide} data-dragged={dragged === code}>
              <SparkTile
                spark={spark}
                to={`${root}/sparks/${encodeURIComponent(code)}`}
                isWide={isWide}
                place={{ at, of: tiles.length }}
                onMove={(to) => move(code, to)}
                onResize={() => keep(tiles.map((tile) => (tile.code === code ? { code, isWide: !isWide } : tile)))}
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
