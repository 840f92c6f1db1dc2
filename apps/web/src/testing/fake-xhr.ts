import { answerFrom } from './fake-api.ts'
import type { FakeWorld } from './fake-world.ts'

/** Stands in for XMLHttpRequest as far as uploads use it. */
export function fakeXhr(world: FakeWorld) {
  return class FakeXhr extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    private request = { method: 'GET', url: '/', body: '' }
    private isAborted = false

    open(method: string, url: string): void {
      this.request = { method, url, body: '' }
    }

    setRequestHeader(): void {}

    getResponseHeader(): null {
      return null
    }

    abort(): void {
      this.isAborted = true
      this.dispatchEvent(new Event('abort'))
      this.dispatchEvent(new Event('loadend'))
    }

    send(bytes: Blob): void {
      setTimeout(() => {
        if (this.isAborted) return
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: bytes.size }))
        const answer = answerFrom(world, this.request)
        this.status = answer.status
        this.responseText = JSON.stringify(answer.body)
        this.dispatchEvent(new Event('load'))
        this.dispatchEvent(new Event('loadend'))
      })
    }
  }
}
