import { answerFrom } from './fake-api.ts'
import type { FakeWorld } from './fake-world.ts'

/** The way bytes are sent: like the real one as far as the product uses it, leading to the fake server. */
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
