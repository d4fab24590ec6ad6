import assert from "node:assert/strict";
import { nearest } from "../../../../config/model/nearest.ts";

describe("the word that was meant", () => {
  const controllers = ["ingress-nginx", "traefik", "haproxy", "contour"];
  const meant = { treafik: "traefik", Contour: "contour", nginx: "ingress-nginx", "nginx-ingress": "ingress-nginx" };
  for (const [word, expected] of Object.entries({
    ...meant,
    "haproxy-ingress": "haproxy",
    projectcontour: "contour",
  })) {
    it(`is ${expected} for ${word}`, () => {
      assert.equal(nearest(word, controllers), `; did you mean '${expected}'?`);
    });
  }

  it("is the nearest in spelling before one that has the word in it", () => {
    assert.equal(nearest("clas", ["className", "class"]), "; did you mean 'class'?");
  });

  it("is none that is like no other, or has but a few letters of it", () => {
    assert.equal(nearest("envoy", controllers), "");
    assert.equal(nearest("pro", ["haproxy"]), "");
  });
});
