import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { BlockView } from './blocks/BlockView.tsx'
import type { Host } from './bridge/connect-host.ts'
import { HostContext } from './bridge/host-context.ts'
import { CodeView } from './code/CodeView.tsx'
import styles from './kit.module.css'
import { applyTheme } from './theme.ts'

const MAX_HEIGHT = 50_000

export function FrameApp({ host }: { host: Host }) {
  const state = useSyncExternalStore(host.subscribe, host.getState)
  const box = useRef<HTMLDivElement>(null)
  const theme = state?.theme
  useLayoutEffect(() => {
    if (theme) applyTheme(theme)
  }, [theme])
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    let told = -1
    const resize = new ResizeObserver(() => {
      const pixels = Math.min(MAX_HEIGHT, Math.ceil(element.getBoundingClientRect().height))
      if (pixels === told) return
      told = pixels
      host.send({ kind: 'height', pixels })
    })
    resize.observe(element)
    return () => resize.disconnect()
  }, [host])
  return (
    <div ref={box} className={styles.frame}>
      {state && (
        <HostContext value={host}>
          {state.content.body.kind === 'code' ? (
            <CodeView code={state.content.body.code} />
          ) : (
            <div className={styles.grid}>
              {state.content.body.blocks.map((block, at) => (
                <div key={`${at} ${block.kind}`} data-kind={block.kind} data-width={block.width}>
                  <BlockView block={block} />
                </div>
              ))}
              {state.content.body.blocks.length === 0 && <p className={styles.quiet}>This spark has no blocks yet.</p>}
            </div>
          )}
        </HostContext>
      )}
    </div>
  )
}
