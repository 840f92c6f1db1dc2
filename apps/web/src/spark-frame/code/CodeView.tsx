import { useEffect, useRef, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { BlockView } from '../blocks/BlockView.tsx'
import { HostContext, useHost } from '../bridge/host-context.ts'
import styles from '../kit.module.css'
import { createSparkApi, runCode } from './run-code.ts'

const MAX_MESSAGE = 2000
const toMessage = (problem: unknown) => String((problem as Error | null)?.message ?? problem).slice(0, MAX_MESSAGE)

export function CodeView({ code }: { code: string }) {
  const host = useHost()
  const box = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const around = box.current
    if (!around) return undefined
    const element = document.createElement('div')
    around.append(element)
    const roots = new Map<Element, Root>()
    const fail = (error: unknown) => {
      const message = toMessage(error)
      setProblem(message)
      host.send({ kind: 'failed', message })
    }
    const onError = (event: ErrorEvent) => fail(event.error ?? event.message)
    const onRejection = (event: PromiseRejectionEvent) => fail(event.reason)
    window.addEventListener('error', onError)
    window.addEventListener('unhandledrejection', onRejection)
    const spark = createSparkApi(host, element, (target, block) => {
      const root = roots.get(target) ?? createRoot(target)
      roots.set(target, root)
      root.render(
        <HostContext value={host}>
          <BlockView block={block} />
        </HostContext>,
      )
      return () => {
        roots.delete(target)
        root.unmount()
      }
    })
    setProblem(null)
    runCode(code, spark).catch(fail)
    return () => {
      window.removeEventListener('error', onError)
      window.removeEventListener('unhandledrejection', onRejection)
      // React refuses to unmount a root during another render.
      queueMicrotask(() => {
        for (const root of roots.values()) root.unmount()
        element.remove()
      })
    }
  }, [code, host])
  return (
    <>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          The code of this spark failed: {problem}
        </p>
      )}
      <div ref={box} />
    </>
  )
}
