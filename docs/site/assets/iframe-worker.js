// Runs the search if the site is opened from a disk, where browsers reject workers: a hidden frame replaces the worker.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.scope = this.frame.contentWindow;
      // Keeps the browser from replacing the frame's document later.
      this.scope.document.open();
      this.scope.document.write("<!doctype html><body></body>");
      this.scope.document.close();
      this.scope.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
      const script = this.scope.document.createElement("script");
      script.src = new URL(url, location.href).href;
      this.started = new Promise((resolve) => {
        script.onload = resolve;
      });
      script.onerror = (event) => this.onerror?.(event);
      this.scope.document.body.append(script);
    }

    postMessage(data) {
      this.started.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
