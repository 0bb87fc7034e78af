# cmake -DINPUT=file -DOUTPUT=file.cc -P embed.cmake: the bytes of INPUT as C++.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){24})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "namespace astrolabe::client {
extern const unsigned char kDescriptorSet[];
extern const int kDescriptorSetSize;
const unsigned char kDescriptorSet[] = {\n${bytes}};
const int kDescriptorSetSize = ${size};
}  // namespace astrolabe::client
")
