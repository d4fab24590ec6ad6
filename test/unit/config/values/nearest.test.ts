import assert from "node:assert/strict";
import { nearest } from "../../../../config/values/nearest.ts";

describe("the word that was meant", () => {
  const controllers = ["ingress-nginx", "traefik", "haproxy", "contour"];
  const meant = { treafik: "traefik", Contour: "contour", nginx: "ingress-nginx", "nginx-ingress": "ingress-nginx" };
  for (const [word, expected] of Object.entries({
    ...meant,
    "haproxy-ingress": "haproxy",
    projectcontour: "contour",
  })) {
    it(`suggests ${expected} for ${word}`, () => {
      assert.equal(nearest(word, controllers), `; did you mean '${expected}'?`);
    });
  }

  it("suggests the word nearest in spelling before one that contains what was written", () => {
    assert.equal(nearest("clas", ["className", "class"]), "; did you mean 'class'?");
  });

  it("suggests no word for one that is like no other, or that has only a few letters of one", () => {
    assert.equal(nearest("envoy", controllers), "");
    assert.equal(nearest("pro", ["haproxy"]), "");
  });
});
